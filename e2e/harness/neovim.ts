import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Editor, type EditorKind, inVersion, pathWithCommand } from "./editor.ts";
import { plugins, neovim as program } from "./installed.ts";
import { startTerminal, type Terminal } from "./terminal.ts";
import { createViActions, createViRemote } from "./vi.ts";

/** Neovim with our plugin, and nothing else. */
export const neovim: EditorKind<Neovim> = {
  name: "Neovim",
  needs: { Neovim: program },
  async start(sandbox, files, other) {
    const { socket, ...start } = await neovimCommand(sandbox, pluginConfig, ["--", ...files]);
    const terminal = await startTerminal(sandbox, inVersion(start, other));
    return attachNeovim(sandbox, terminal, socket);
  },
};

/** As after an installation. */
export const pluginConfig = `vim.opt.rtp:prepend(${JSON.stringify(join(plugins, "neovim"))})\n`;

export type Neovim = Editor & NeovimRemote & { readonly terminal: Terminal };

/** Drives one that runs, once its companion does. */
export async function attachNeovim(sandbox: Sandbox, terminal: Terminal, socket: string): Promise<Neovim> {
  const remote = createRemote(sandbox, terminal, socket);
  await remote.until("a port of the companion", "require('ide-companion').status().port ~= nil");
  const waiting = "luaeval('require(\"ide-companion\").status().diffs')";
  const actions = createViActions(terminal, createViRemote(terminal, remote.ask), waiting);
  return { ...actions, ...remote, terminal, kill: () => killTree(terminal.pid) };
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

/** What a test asks of a Neovim, other than what its user does. */
export type NeovimRemote = ReturnType<typeof createRemote>;

export function createRemote(sandbox: Sandbox, terminal: Terminal, socket: string) {
  const lua = async (code: string, argument = "") => {
    const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
    const expression = `luaeval(${quoted(code)}, ${quoted(argument)})`;
    const { stdout } = await run(program, ["--server", socket, "--remote-expr", expression], {
      env: sandbox.env,
    });
    return stdout.trimEnd();
  };
  return {
    /** Evaluates Lua in it. @param argument is `_A` there */
    lua,
    /** Evaluates an expression of Vim's script. */
    ask: async (expression: string): Promise<unknown> =>
      JSON.parse(await lua("vim.json.encode(vim.api.nvim_eval(_A))", expression)),
    /** Waits until Lua in it is true. */
    async until(what: string, code: string, argument?: string) {
      // It may not listen yet.
      const look = async () => (await lua(code, argument).catch(() => "")) === "true";
      await poll(what, look, { describe: terminal.screen });
    },
  };
}
