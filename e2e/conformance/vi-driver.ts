import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { attachNeovim, neovimCommand, pluginConfig } from "../harness/neovim.ts";
import { startTerminal, type Terminal, typeLine } from "../harness/terminal.ts";
import { createViRemote, enterProposal, proposed, type ViRemote, vimString } from "../harness/vi.ts";
import { attachVim, vimCommand } from "../harness/vim.ts";
import { stepsTo, sweepBy } from "./driver-steps.ts";
import { type Drivers, endsBySignal, type KitEditor } from "./kit-editor.ts";

/** Vim with our plugin, in a terminal, driven by its keys; it starts the companion with the first file. */
export async function startVim(sandbox: Sandbox): Promise<KitEditor> {
  /** As of a user with a project in each tab. */
  const perTab = "let g:ide_companion = {'root': {-> map(range(1, tabpagenr('$')), 'getcwd(-1, v:val)')}}\n";
  const first = await writeFirst(sandbox);
  const { command, env, channel } = await vimCommand(sandbox, ["--", first], perTab);
  const terminal = await startTerminal(sandbox, { command, env });
  const vim = await attachVim(terminal, channel);
  const environment = async () => String(await vim.ask("system('env')"));
  return { drivers: createDrivers(terminal, vim, environment), end: endsBySignal(terminal.pid) };
}

/** Neovim under the kit. */
export async function startNeovim(sandbox: Sandbox): Promise<KitEditor> {
  const perTab = `require("ide-companion").setup({ root = function()
    return vim.tbl_map(function(tab)
      return vim.fn.getcwd(-1, vim.api.nvim_tabpage_get_number(tab))
    end, vim.api.nvim_list_tabpages())
  end })\n`;
  const first = await writeFirst(sandbox);
  const { command, env, socket } = await neovimCommand(sandbox, pluginConfig + perTab, ["--", first]);
  const terminal = await startTerminal(sandbox, { command, env });
  const { ask } = await attachNeovim(sandbox, terminal, socket);
  /** The variables that its terminals have. */
  async function environment() {
    const variables = await ask("luaeval(\"require('ide-companion.status').get().env\")");
    return Object.entries(Object(variables))
      .map(([name, value]) => `${name}=${value}`)
      .join("\n");
  }
  const remote = createViRemote(terminal, ask);
  return { drivers: createDrivers(terminal, remote, environment), end: endsBySignal(terminal.pid) };
}

async function writeFirst(sandbox: Sandbox): Promise<string> {
  const first = join(sandbox.workspace, "open.txt");
  await writeFile(first, "open\n");
  return first;
}

const ofFile = (path: string) =>
  proposed(`get(getbufvar(b.bufnr, 'ide_companion'), 'path', '') ==# ${vimString(path)}`);

function createDrivers(
  terminal: Terminal,
  { ask, until }: ViRemote,
  environment: () => Promise<string>,
): Drivers {
  const normalMode = async () => {
    if ((await ask("mode()")) === "n") return;
    await terminal.press("Escape");
    await until("normal mode", "mode() ==# 'n'");
  };
  const execute = async (command: string) => {
    await normalMode();
    await ask(`execute(${vimString(command)})`);
  };
  const goTo = async (path: string, line: string, column: string) => {
    const steps = await stepsTo(path, Number(line), Number(column));
    await terminal.type(`${line}gg0${steps === 0 ? "" : `${steps}l`}`);
    await until(`line ${line}`, `line('.') == ${line}`);
  };
  const open = async (path: string, line: string, column: string) => {
    await execute("tabfirst");
    await ask(`execute('edit ' .. fnameescape(${vimString(path)}))`);
    await goTo(path, line, column);
  };
  const enter = async (path: string) => {
    await normalMode();
    // What comes while something is selected waits until that has ended.
    await enterProposal({ ask, until }, `window of ${path}`, ofFile(path));
  };
  const isProposed = async (path: string) => (await ask(`!empty(${ofFile(path)})`)) === 1;
  const command = (text: string) => typeLine(terminal, `:${text}`);
  const inProposal = async (path: string, text: string) => {
    await enter(path);
    await command(text);
  };
  return {
    open,
    async select(path, line, column, toLine, toColumn) {
      await open(path, line, column);
      await terminal.type("v");
      await until("visual mode", "mode() ==# 'v'");
      // The character under the cursor is part of the selection.
      await goTo(path, toLine, String(Number(toColumn) - 1));
    },
    sweep: sweepBy(open, () => terminal.press("Down")),
    async close(path) {
      if (await isProposed(path)) return inProposal(path, "q!");
      // As the last one of its tab it would close the tab.
      await execute("tabfirst | enew");
      await execute(`bdelete! ${path}`);
    },
    accept: (path) => inProposal(path, "w"),
    reject: (path) => inProposal(path, "IdeCompanion reject"),
    async edit(path, text) {
      await enter(path);
      const ends = text.endsWith("\n");
      const lines = (ends ? text.slice(0, -1) : text).split("\n");
      await execute(`setlocal nofixendofline ${ends ? "" : "no"}endofline`);
      await terminal.type("ggdGi");
      await until("insert mode", "mode() ==# 'i'");
      for (const [index, line] of lines.entries()) {
        if (index > 0) await terminal.press("Enter");
        await terminal.type(line);
      }
      await normalMode();
    },
    shows: async (path) => ((await isProposed(path)) ? "yes" : "no"),
    /** A project in another tab, whose working directory it is. */
    async folder(path) {
      await execute("tabnew");
      await ask(`execute('tcd ' .. fnameescape(${vimString(path)}))`);
    },
    async mention(path, first, last) {
      await open(path, first, "1");
      await command(`${first},${last}IdeCompanion send`);
    },
    environment,
  };
}
