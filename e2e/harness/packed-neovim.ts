import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { EditorKind } from "./editor.ts";
import { plugins, newerNeovim as program } from "./installed.ts";
import { attachNeovim, neovimCommand } from "./neovim.ts";
import { codeOn } from "./page.ts";
import { startTerminal } from "./terminal.ts";

const run = promisify(execFile);

/** A Neovim of 0.12 or later that has our plugin by `vim.pack`, which clones it. */
export const packedNeovim: EditorKind = {
  name: "a newer Neovim with vim.pack",
  needs: { "newer Neovim": program, git: "/usr/bin/git" },
  async start(sandbox, files) {
    await writeRepository(join(sandbox.home, "ide-companion"), sandbox);
    const config = codeOn("neovim.md", "lua", "vim.pack");
    const { command, env, socket } = await neovimCommand(sandbox, config, ["--", ...files]);
    const terminal = await startTerminal(sandbox, { command: [program, ...command.slice(1)], env });
    await terminal.waitFor("Proceed?");
    await terminal.type("y");
    return attachNeovim(sandbox, terminal, socket);
  },
};

/** A git repository in which the plugin lies as it does in ours. */
async function writeRepository(repository: string, sandbox: Sandbox): Promise<void> {
  await cp(join(plugins, "neovim"), join(repository, "editors", "neovim"), { recursive: true });
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
  const git = (...args: string[]) => run("git", [...who, ...args], { cwd: repository, env: sandbox.env });
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message=The plugin");
}
