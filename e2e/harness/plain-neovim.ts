import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Editor, EditorKind } from "./editor.ts";
import { neovim as program } from "./installed.ts";
import { createRemote, neovimCommand } from "./neovim.ts";
import { codeOn } from "./page.ts";
import { startTerminal, type Terminal, typeLine } from "./terminal.ts";
import { createViActions, createViRemote, find, type ViRemote, vimString } from "./vi.ts";

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
    const actions = createActions(terminal, createViRemote(terminal, remote.ask));
    return { ...actions, terminal, kill: () => killTree(terminal.pid) };
  },
};

/** Of proposals for a file of this name. */
const windowsOf = (name: string) =>
  `filter(getwininfo(), {_, w -> bufname(w.bufnr) =~# '\\.ide-proposal-.*/\\V' .. escape(${vimString(name)}, '\\') .. '\\$'})`;

function createActions(terminal: Terminal, { ask, until }: ViRemote): Omit<Editor, "terminal" | "kill"> {
  const { select, ...basics } = createViActions(terminal, { ask, until }, "[]");
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
    ...basics,
    async select(text: string) {
      await select(text);
      await act("Share selection");
    },
    readAgain: () => command("checktime"),
    async decideWritten(decision, text) {
      await ask(find(text));
      await act(`${decision} this change`);
    },
    async proposal(name) {
      await until(`proposal for ${name}`, `len(${windowsOf(name)})`);
      await ask(`win_gotoid(${windowsOf(name)}[0].winid)`);
      return {
        replace: (before, after) => command(`%s/${before}/${after}/`),
        accept: () => act("Accept the change"),
        reject: () => command("bdelete!"),
      };
    },
    nothingWaits: () => until("no proposal", "winnr('$') == 1"),
  };
}
