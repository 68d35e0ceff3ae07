import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { pathWithCommand } from "./editor.ts";
import { neovim as program } from "./installed.ts";
import type { Terminal } from "./terminal.ts";

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
