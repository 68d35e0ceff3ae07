import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Editor, type EditorKind, inVersion, type OtherVersion, pathWithCommand } from "./editor.ts";
import { plugins, neovim as program } from "./installed.ts";
import { startTerminal, type Terminal, typeLine } from "./terminal.ts";

/** Neovim with our plugin, and nothing else. */
export const neovim: EditorKind = {
  name: "Neovim",
  needs: { Neovim: program },
  start: startNeovim,
};

export async function startNeovim(
  sandbox: Sandbox,
  files: readonly string[],
  other?: OtherVersion,
): Promise<Neovim> {
  const { socket, ...start } = await neovimCommand(sandbox, pluginConfig, ["--", ...files]);
  const terminal = await startTerminal(sandbox, inVersion(start, other));
  return attachNeovim(sandbox, terminal, socket);
}

/** As after an installation. */
export const pluginConfig = `vim.opt.rtp:prepend(${JSON.stringify(join(plugins, "neovim"))})\n`;

export type Neovim = Editor & NeovimRemote & { readonly terminal: Terminal };

/** Drives one that runs, once its companion does. */
export async function attachNeovim(sandbox: Sandbox, terminal: Terminal, socket: string): Promise<Neovim> {
  const remote = createRemote(sandbox, terminal, socket);
  await remote.until("a port of the companion", "require('ide-companion').status().port ~= nil");
  return { ...createActions(terminal, remote), ...remote, terminal, kill: () => killTree(terminal.pid) };
}

/** Of a proposal's window; 0 when there is none. */
const windowOf = `(function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local buffer = vim.api.nvim_win_get_buf(window)
    if vim.b[buffer].ide_companion and vim.endswith(vim.fn.bufname(buffer), ": " .. _A) then return window end
  end
  return 0
end)()`.replaceAll("\n", " ");

const textOfBuffer = "table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\\n')";

function createActions(terminal: Terminal, { lua, until }: NeovimRemote): Omit<Editor, "terminal" | "kill"> {
  const command = (text: string) => typeLine(terminal, `:${text}`);
  return {
    open: async (path) => void (await lua("vim.cmd.edit(vim.fn.fnameescape(_A))", path)),
    close: async () => void (await lua("vim.cmd.bdelete()")),
    async select(text) {
      await lua("vim.fn.cursor(vim.fn.searchpos('\\\\V' .. vim.fn.escape(_A, '\\\\'), 'cnw'))", text);
      await terminal.type(`v${text.length - 1}l`);
      const selected = `vim.fn.mode() == 'v' and vim.fn.col('.') - vim.fn.col('v') == ${text.length - 1}`;
      await until(`selection of ${text}`, selected);
    },
    async typeUnsaved(text) {
      await terminal.type(`gg0A${text}`);
      await terminal.press("Escape");
      await until("normal mode", "vim.fn.mode() == 'n'");
    },
    shows: (text) => until(text, `${textOfBuffer}:find(_A, 1, true) ~= nil`, text),
    says: async (text) => void (await terminal.waitFor(text)),
    async proposal(name) {
      await until(`proposal for ${name}`, `${windowOf} ~= 0`, name);
      await lua(`vim.api.nvim_set_current_win(${windowOf})`, name);
      await terminal.waitFor("proposes");
      return {
        replace: (before, after) => command(`%s/\\V${before}/${after}/`),
        accept: () => command("w"),
        reject: () => command("q"),
      };
    },
    async nothingWaits() {
      const none = "#require('ide-companion').status().diffs == 0";
      await until("no proposal", `${none} and #vim.api.nvim_list_tabpages() == 1`);
    },
  };
}

const run = promisify(execFile);

/** What a test asks of a Neovim, other than what its user does. */
export interface NeovimRemote {
  /** Evaluates Lua in it. @param argument is `_A` there */
  lua(code: string, argument?: string): Promise<string>;
  /** Waits until Lua in it is true. */
  until(what: string, code: string, argument?: string): Promise<void>;
}

/** How to start one that can be asked. @param config its init.lua */
export async function neovimCommand(sandbox: Sandbox, config: string, args: readonly string[]) {
  const socket = join(sandbox.tmp, `n-${randomUUID().slice(0, 8)}`);
  const folder = join(sandbox.home, ".config", "nvim");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "init.lua"), config);
  const command = [program, "-n", "--listen", socket, ...args];
  return { command, env: { PATH: await pathWithCommand(sandbox) }, socket };
}

export function createRemote(sandbox: Sandbox, terminal: Terminal, socket: string): NeovimRemote {
  const lua = async (code: string, argument = "") => {
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    const expression = `luaeval(${quoted(code)}, ${quoted(argument)})`;
    const { stdout } = await run(program, ["--server", socket, "--remote-expr", expression], {
      env: sandbox.env,
    });
    return stdout.trimEnd();
  };
  return {
    lua,
    async until(what, code, argument) {
      // It may not listen yet.
      const look = async () => ((await lua(code, argument).catch(() => "")) === "true" ? true : undefined);
      await poll(what, look, { describe: terminal.screen });
    },
  };
}
