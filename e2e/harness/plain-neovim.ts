import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Editor, EditorKind } from "./editor.ts";
import { neovim as program } from "./installed.ts";
import { createRemote, type NeovimRemote, neovimCommand } from "./neovim.ts";
import { codeOn } from "./page.ts";
import { startTerminal, type Terminal, typeLine } from "./terminal.ts";

/** Neovim with our command as a language server, and no plugin. */
export const plainNeovim: EditorKind = {
  name: "Neovim without the plugin",
  needs: { Neovim: program },
  async start(sandbox, files) {
    const { command, env, socket } = await neovimCommand(
      sandbox,
      codeOn("neovim.md", "lua", "vim.lsp.start"),
      ["--", ...files],
    );
    const terminal = await startTerminal(sandbox, { command, env });
    const remote = createRemote(sandbox, terminal, socket);
    await remote.until("a language server", "#vim.lsp.get_clients({ bufnr = 0 }) == 1");
    return { ...createActions(terminal, remote), terminal, kill: () => killTree(terminal.pid) };
  },
};

/** Of a proposal's window; 0 when there is none. */
const windowOf = `(function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))
    if name:find(".ide-proposal-", 1, true) and vim.endswith(name, "/" .. _A) then return window end
  end
  return 0
end)()`.replaceAll("\n", " ");

function createActions(terminal: Terminal, { lua, until }: NeovimRemote): Omit<Editor, "terminal" | "kill"> {
  const command = (text: string) => typeLine(terminal, `:${text}`);
  /** Takes the action of this title from the list that Neovim asks with. */
  const act = async (title: string) => {
    await terminal.type("gra");
    const screen = await terminal.waitFor(title);
    const number = new RegExp(`(\\d+): ${title}`).exec(screen)?.[1];
    await typeLine(terminal, number ?? "");
    await terminal.waitForNo(title);
  };
  return {
    open: async (path) => void (await lua("vim.cmd.edit(vim.fn.fnameescape(_A))", path)),
    close: async () => void (await lua("vim.cmd.bdelete()")),
    async select(text) {
      await lua("vim.fn.cursor(vim.fn.searchpos(_A, 'cnw'))", text);
      await terminal.type(`v${text.length - 1}l`);
      const selected = `vim.fn.mode() == 'v' and vim.fn.col('.') - vim.fn.col('v') == ${text.length - 1}`;
      await until(`selection of ${text}`, selected);
      await act("Share selection");
    },
    async typeUnsaved(text) {
      await terminal.type(`gg0A${text}`);
      await terminal.press("Escape");
      await until("normal mode", "vim.fn.mode() == 'n'");
    },
    shows: async (text) => void (await terminal.waitFor(text)),
    says: async (text) => void (await terminal.waitFor(text)),
    async proposal(name) {
      await until(`proposal for ${name}`, `${windowOf} ~= 0`, name);
      await lua(`vim.api.nvim_set_current_win(${windowOf})`, name);
      return {
        replace: (before, after) => command(`%s/${before}/${after}/`),
        accept: () => act("Accept the change"),
        reject: () => command("bdelete!"),
      };
    },
    nothingWaits: () => until("no proposal", "#vim.api.nvim_list_wins() == 1"),
  };
}
