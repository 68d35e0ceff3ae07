import { join } from "node:path";
import { expect } from "vitest";
import { run } from "../packages/testkit/src/run.ts";
import { startConnected } from "./harness/agent-cli.ts";
import { companionOf, dyingCompanion } from "./harness/dying-companion.ts";
import { editorScenarios } from "./harness/editor-scenarios.ts";
import { gemini } from "./harness/gemini.ts";
import { luacheck, plugins, neovim as usualNeovim } from "./harness/installed.ts";
import { neovim } from "./harness/neovim.ts";
import { neovimTerminals } from "./harness/own-terminals.ts";
import { neovimOwnTests } from "./harness/own-tests.ts";
import { plainNeovim } from "./harness/plain-neovim.ts";
import { proposers } from "./harness/proposer.ts";
import { recoveredEdits } from "./harness/recovered-edits.ts";
import { scenario } from "./harness/scenario.ts";
import { twoInstances } from "./harness/two-instances.ts";
import { writtenComments } from "./harness/written-comments.ts";

editorScenarios(neovim, { only: ["agent", "fake", "sweep"] });
editorScenarios(plainNeovim, { only: ["fakeReview", "returns"] });

twoInstances(neovimTerminals, { matrix: true });

for (const proposer of proposers) recoveredEdits(neovim, proposer);

/** What the names of buffers begin with. */
const owners = { proposed: "Qwen Code", kept: "Your text" } as const;

dyingCompanion(neovim, async (sandbox, files) => {
  const editor = await neovim.start(sandbox, files);
  return {
    ...editor,
    port: async () => Number(await editor.lua("require('ide-companion').status().port or 0")),
    textOf: (which, name) =>
      editor.lua("table.concat(vim.fn.getbufline(_A, 1, '$'), '\\n')", `${owners[which]}: ${name}`),
    quit: async () => void (await editor.lua("vim.fn.timer_start(0, function() vim.cmd.qall() end)")),
  };
});

neovimOwnTests("Neovim", usualNeovim);

writtenComments(neovim);

scenario(
  "luacheck finds nothing in the Neovim plugin",
  async () => {
    const { stdout } = await run(luacheck, ["--no-color", "."], { cwd: join(plugins, "neovim") }).catch(
      toOutput,
    );
    expect(stdout).toContain("Total: 0 warnings / 0 errors");
  },
  { needs: { luacheck } },
);

scenario(
  "Gemini CLI, whose companion was killed under a proposal in Neovim, is freed by the key that Neovim names",
  async (sandbox) => {
    const filePath = await sandbox.write("note.txt", "first\nsecond\n");
    const editor = await neovim.start(sandbox, [filePath]);
    const cli = await startConnected(sandbox, gemini);
    await cli.proposeReplace(filePath, "second", "2nd");
    await editor.proposal("note.txt");
    process.kill(await companionOf(editor.terminal.pid), "SIGKILL");
    await editor.terminal.waitFor("If Gemini CLI hangs, press Ctrl-C once, then type /ide enable");
    await cli.terminal.press("C-c");
    await cli.terminal.waitFor("Request cancelled");
  },
  { needs: neovim.needs },
);

/** What a program has printed before it failed. */
function toOutput(error: { stdout: string }): { stdout: string } {
  return error;
}
