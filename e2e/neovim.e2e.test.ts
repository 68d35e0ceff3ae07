import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { type AgentKind, startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { pathWithCommand } from "./harness/editor.ts";
import { editorChains } from "./harness/editor-chains.ts";
import { gemini } from "./harness/gemini.ts";
import { companionScript, luacheck, plugins, neovim as program } from "./harness/installed.ts";
import { attachNeovim, neovim, pluginConfig, startNeovim } from "./harness/neovim.ts";
import { neovimCommand } from "./harness/neovim-remote.ts";
import { plainNeovim } from "./harness/plain-neovim.ts";
import { ended, processTree } from "./harness/process-tree.ts";
import type { World } from "./harness/world.ts";

const run = promisify(execFile);
const { needs } = neovim;

editorChains(neovim);
editorChains(plainNeovim, { agents: [gemini], only: ["context", "review"] });

chain(
  "two Neovims in one folder each have the diffs of the CLI in their own terminal",
  async (world) => {
    await installCli(world, gemini);
    const file = await world.write("open.txt", "open\n");
    const first = await startWithCli(world, file);
    const second = await startWithCli(world, file);
    await second.cli.proposeWrite(world.path("second.txt"), "of the second\n");
    await first.cli.proposeWrite(world.path("first.txt"), "of the first\n");
    expect(await waiting(first.editor)).toBe(world.path("first.txt"));
    expect(await waiting(second.editor)).toBe(world.path("second.txt"));
    await second.editor.lua("require('ide-companion').accept()");
    await second.cli.finished();
    await first.editor.lua("require('ide-companion').reject()");
    await first.cli.terminal.waitFor(gemini.rejected);
    expect(String(await world.read("second.txt"))).toBe("of the second\n");
    expect(await world.read("first.txt")).toBeUndefined();
  },
  { needs },
);

chain(
  "a companion that dies under Neovim starts again, and typed text stays; Neovim leaves nothing when it ends",
  async (world) => {
    const path = await world.write("note.txt", "first\nsecond\n");
    const editor = await startNeovim(world, [path]);
    const cli = await startAgent(world, gemini);
    await cli.connected();
    await cli.proposeReplace(path, "second", "2nd");
    const proposal = await editor.proposal("note.txt");
    await proposal.replace("2nd", "zwei");
    const port = Number(await editor.lua("require('ide-companion').status().port"));
    const server = await serverOf(editor.terminal.pid);
    process.kill(server, "SIGKILL");
    await ended([server]);
    await editor.until("another port", `(require('ide-companion').status().port or ${port}) ~= ${port}`);
    await editor.terminal.waitFor("nobody waits for this any more");
    await proposal.reject();
    await editor.terminal.waitFor("Your edits are kept");
    const kept = "vim.api.nvim_buf_get_lines(vim.fn.bufnr('/kept/note.txt'), 0, -1, true)";
    expect(await editor.lua(`table.concat(${kept}, ' ')`)).toBe("first zwei");

    await cli.kill();
    const next = await startAgent(world, gemini);
    await next.connected();
    await next.proposeReplace(path, "first", "1st");
    await (await editor.proposal("note.txt")).accept();
    await next.finished();
    expect(String(await world.read("note.txt"))).toBe("1st\nsecond\n");
    await editor.nothingWaits();

    const pids = await processTree(editor.terminal.pid);
    await editor.lua("vim.fn.timer_start(0, function() vim.cmd.qall() end)");
    expect(await editor.terminal.exited()).toBe(0);
    await ended(pids);
    expect(await discoveryFiles(world)).toEqual([]);
  },
  { needs },
);

chain(
  "the Neovim plugin's own tests pass, in Neovim",
  async (world) => {
    const tests = join(plugins, "neovim", "tests", "run.lua");
    const { stdout } = await run(program, ["--clean", "-l", tests], { env: world.env }).catch(toOutput);
    expect(stdout).not.toContain("not ok");
    expect(stdout).toMatch(/[1-9]\d* passed, 0 failed/);
  },
  { needs },
);

chain(
  "luacheck finds nothing in the Neovim plugin",
  async () => {
    const { stdout } = await run(luacheck, ["--no-color", "."], { cwd: join(plugins, "neovim") }).catch(
      toOutput,
    );
    expect(stdout).toContain("Total: 0 warnings / 0 errors");
  },
  { needs: { luacheck } },
);

/** Process id of the companion that an editor has started. */
async function serverOf(editor: number): Promise<number> {
  for (const pid of await processTree(editor)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    if (command.includes(companionScript)) return pid;
  }
  throw new Error(`process ${editor} has started no companion`);
}

/** A Neovim in which `:IdeCompanion run` has started an agent, over the whole of its screen. */
async function startWithCli(world: World, file: string) {
  const config = `${pluginConfig}require("ide-companion").setup({ terminal = { position = "tabnew" } })`;
  const start = "autocmd User IdeCompanionStatus ++once IdeCompanion run gemini";
  const { command, env, socket } = await neovimCommand(world, config, ["-c", start, file]);
  const cli = await startAgent(world, gemini, { command, env });
  const editor = await attachNeovim(world, cli.terminal, socket);
  await cli.connected();
  return { cli, editor };
}

/** The files for which proposals wait. */
function waiting(editor: Awaited<ReturnType<typeof attachNeovim>>): Promise<string> {
  const paths =
    "vim.tbl_map(function(diff) return diff.filePath end, require('ide-companion').status().diffs)";
  return editor.lua(`table.concat(${paths}, ' ')`);
}

/** A CLI by its name, where our command is found too. */
async function installCli(world: World, { name, command }: AgentKind): Promise<void> {
  await pathWithCommand(world);
  const place = join(world.home, "bin", name);
  await writeFile(place, `#!/bin/sh\nexec ${command.map((word) => `"${word}"`).join(" ")} "$@"\n`);
  await chmod(place, 0o755);
}

/** What a program has printed before it failed. */
function toOutput(error: { stdout: string }): { stdout: string } {
  return error;
}
