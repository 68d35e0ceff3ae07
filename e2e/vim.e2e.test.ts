import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { dyingCompanion } from "./harness/dying-companion.ts";
import { editorScenarios } from "./harness/editor-scenarios.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { plugins, vim as program } from "./harness/installed.ts";
import { vimTerminals } from "./harness/own-terminals.ts";
import { expectAllPassed, ownTestsTime, runAlone } from "./harness/own-tests.ts";
import { proposers } from "./harness/proposer.ts";
import { onDisk, recoveredEdits } from "./harness/recovered-edits.ts";
import { scenario } from "./harness/scenario.ts";
import { typeLine } from "./harness/terminal.ts";
import { twoInstances } from "./harness/two-instances.ts";
import { vim } from "./harness/vim.ts";
import { writeComment, writtenComments } from "./harness/written-comments.ts";

const { needs } = vim;

editorScenarios(vim);

twoInstances(vimTerminals, { matrix: true });

for (const proposer of proposers) recoveredEdits(vim, proposer);

writtenComments(vim);

scenario(
  "comments of a Vim that was killed are announced by the next one, and come into a register",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    const killed = await vim.start(sandbox, [path]);
    const cli = await startFakeCli(sandbox);
    await cli.proposeReplace(path, "second", "2nd");
    await killed.proposal("note.txt");
    await writeComment(killed.terminal, "2G\\c", "Comment on line 2:", "why a number?");
    await onDisk(sandbox, { folder: "comments", text: "why a number?" }, killed.terminal);
    await killed.kill();
    // It would propose the file again, and the editor say that over the announcement.
    await cli.leave();

    const { terminal, ask } = await vim.start(sandbox, [path]);
    await terminal.waitFor("Your comments on note.txt wait");
    await typeLine(terminal, ":IdeCompanion comments");
    await terminal.waitFor("copies them");
    await terminal.type("j");
    await terminal.press("Enter");
    await terminal.waitFor("Your comments on note.txt are");
    expect(await ask("getreg('\"')")).toContain(`@${path}:2\n> 2nd\nwhy a number?`);
  },
  { needs },
);

/** What the names of buffers begin with. */
const owners = { proposed: "Qwen Code", kept: "Your text" } as const;

dyingCompanion(
  vim,
  async (sandbox, files) => {
    const editor = await vim.start(sandbox, files);
    const ask = async (expression: string) => String(await editor.ask(expression));
    return {
      ...editor,
      port: async () => Number(await ask("ide_companion#Status().port")),
      textOf: (which, name) => ask(`join(getbufline('${owners[which]}: ${name}', 1, '$'), "\\n")`),
      quit: async () => void (await ask("timer_start(0, {-> execute('qall')})")),
    };
  },
  { matrix: true },
);

scenario(
  "the Vim plugin's own tests pass, in Vim",
  async (sandbox) => {
    expectAllPassed(await runScript(sandbox, "run.vim"));
  },
  { needs, within: ownTestsTime },
);

scenario(
  "every function of the Vim plugin compiles alone",
  async (sandbox) => {
    expect(await runScript(sandbox, "lint.vim")).toMatch(/[1-9]\d* scripts, 0 faults/);
  },
  { needs },
);

/** One of the plugin's own, which print what they have found. */
async function runScript(sandbox: Sandbox, name: string): Promise<string> {
  const plugin = join(plugins, "vim");
  const quiet = ["-es", "-Nu", "NONE", "-i", "NONE", "--cmd", `set rtp^=${plugin}`];
  const args = [...quiet, "-S", join(plugin, "tests", name)];
  const report = join(sandbox.tmp, `${name}.report`);
  const read = () => readFile(report, "utf8");
  await runAlone(sandbox, program, args, {
    env: { IDE_TEST_REPORT: report },
    progress: () => read().catch(() => ""),
  });
  return read();
}
