import { execFile } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { type AgentKind, startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { pathWithCommand } from "./harness/editor.ts";
import { editorChains } from "./harness/editor-chains.ts";
import { gemini } from "./harness/gemini.ts";
import { plugins, vim as program } from "./harness/installed.ts";
import { attachVim, type Vim, vim, vimCommand } from "./harness/vim.ts";
import type { World } from "./harness/world.ts";

const run = promisify(execFile);
const { needs } = vim;

editorChains(vim);

chain(
  "two Vims in one folder each have the diffs of the CLI in their own terminal",
  async (world) => {
    await installCli(world, gemini);
    const file = await world.write("open.txt", "open\n");
    const first = await startWithCli(world, file);
    const second = await startWithCli(world, file);
    await second.cli.proposeWrite(world.path("second.txt"), "of the second\n");
    await first.cli.proposeWrite(world.path("first.txt"), "of the first\n");
    expect(await waiting(first.editor)).toEqual([world.path("first.txt")]);
    expect(await waiting(second.editor)).toEqual([world.path("second.txt")]);
    await second.editor.ask("execute('IdeCompanion accept')");
    await second.cli.finished();
    await first.editor.ask("execute('IdeCompanion reject')");
    await first.cli.terminal.waitFor(gemini.rejected);
    expect(String(await world.read("second.txt"))).toBe("of the second\n");
    expect(await world.read("first.txt")).toBeUndefined();
  },
  { needs },
);

chain(
  "the Vim plugin's own tests pass, in Vim",
  async (world) => {
    const report = await runScript(world, "run.vim");
    expect(report).not.toContain("not ok");
    expect(report).toMatch(/[1-9]\d* passed, 0 failed/);
  },
  { needs },
);

chain(
  "every function of the Vim plugin compiles, by itself",
  async (world) => {
    expect(await runScript(world, "lint.vim")).toMatch(/[1-9]\d* scripts, 0 faults/);
  },
  { needs },
);

/** One of the plugin's own, which print what they have found. */
async function runScript(world: World, name: string): Promise<string> {
  const plugin = join(plugins, "vim");
  const quiet = ["-es", "-Nu", "NONE", "-i", "NONE", "--cmd", `set rtp^=${plugin}`];
  const args = [...quiet, "-S", join(plugin, "tests", name)];
  const report = join(world.tmp, `${name}.report`);
  const running = run(program, args, { env: { ...world.env, IDE_TEST_REPORT: report } });
  // When a script fails, Vim waits for commands.
  running.child.stdin?.end();
  await running.catch(() => {}); // the report tells why
  return readFile(report, "utf8");
}

/** A Vim in which `:IdeCompanion run` has started an agent, over the whole of its screen. */
async function startWithCli(world: World, file: string) {
  const config = "let g:ide_companion = #{terminal: #{position: 'tabnew'}}\n";
  const start = "autocmd User IdeCompanionStatus ++once IdeCompanion run gemini";
  const { command, env, channel } = await vimCommand(world, ["-c", start, file], config);
  const cli = await startAgent(world, gemini, { command, env });
  const editor = await attachVim(cli.terminal, channel);
  await cli.connected();
  return { cli, editor };
}

/** The files for which proposals wait. */
function waiting(editor: Vim): Promise<unknown> {
  return editor.ask("map(ide_companion#Status().diffs, {_, diff -> diff.filePath})");
}

/** A CLI by its name, where our command is found too. */
async function installCli(world: World, { name, command }: AgentKind): Promise<void> {
  await pathWithCommand(world);
  const place = join(world.home, "bin", name);
  await writeFile(place, `#!/bin/sh\nexec ${command.map((word) => `"${word}"`).join(" ")} "$@"\n`);
  await chmod(place, 0o755);
}
