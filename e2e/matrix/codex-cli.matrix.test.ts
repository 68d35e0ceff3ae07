import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { answerFor, askCodex, enableIde, promptCodex, startCodex } from "../harness/codex.ts";
import { startCompanion } from "../harness/companion.ts";
import { pageAndNeovim } from "../harness/ended-editors.ts";
import { companionScript, codex as program } from "../harness/installed.ts";
import { scenario } from "../harness/scenario.ts";

const greeting = 'const who = "sandbox";\nexport const text = "Hello";\n';

for (const { name, needs: needed, start } of pageAndNeovim) {
  const needs = { ...needed, "Codex CLI": program };

  scenario(
    `Codex CLI of another folder than that of ${name} finds no editor, and finds one once it is there`,
    async (sandbox) => {
      const other = join(sandbox.home, "other");
      await mkdir(other);
      await start(sandbox);
      const cli = await startCodex(sandbox, { cwd: other });
      await cli.say("/ide on");
      await cli.terminal.waitFor("IDE context could not be enabled");
      await start(sandbox, other);
      await answerFor(sandbox, other);
      await enableIde(cli);
    },
    { needs },
  );

  scenario(
    `Codex CLI keeps ${name} when the companion through which they spoke is killed`,
    async (sandbox) => {
      const other = join(sandbox.home, "other");
      await mkdir(other);
      await writeFile(join(other, "greeting.ts"), greeting);
      const router = await startCompanion(sandbox);
      const editor = await start(sandbox, other);
      await editor.open("greeting.ts");
      await editor.select("const text");
      const cli = await startCodex(sandbox, { cwd: other });
      await answerFor(sandbox, other, "const text");
      await enableIde(cli);
      expect(await promptCodex(cli, "Describe what you see")).toContain(
        "selection of the file:\nconst text\n",
      );
      await router.kill();
      await answerFor(sandbox, other, "const text");
      expect(await promptCodex(cli, "And now")).toContain("selection of the file:\nconst text\n");
    },
    { needs },
  );

  scenario(
    `Codex CLI goes on without ${name} that is closed, and has the next one without a word`,
    async (sandbox) => {
      await sandbox.write("greeting.ts", greeting);
      const editor = await start(sandbox);
      const cli = await startCodex(sandbox);
      await enableIde(cli);
      await editor.stop();
      expect(await askCodex(cli, "Is nobody there")).not.toContain("greeting.ts");
      await cli.terminal.waitFor("IDE context was skipped for this message");
      const next = await start(sandbox);
      await next.open("greeting.ts");
      await answerFor(sandbox, sandbox.workspace, "greeting.ts");
      const text = await promptCodex(cli, "And now");
      // Nothing is selected: the file alone is named.
      expect(text).toContain("## Active file: greeting.ts");
      expect(text).not.toContain("## Active selection");
    },
    { needs },
  );

  scenario(
    `Codex CLI has nothing of ${name} while sharing is paused, and all of it afterwards`,
    async (sandbox) => {
      await sandbox.write("greeting.ts", greeting);
      const editor = await start(sandbox);
      const cli = await startCodex(sandbox);
      await editor.open("greeting.ts");
      await answerFor(sandbox, sandbox.workspace, "greeting.ts");
      await enableIde(cli);
      const run = (command: string) =>
        promisify(execFile)(process.execPath, [companionScript, command], {
          cwd: sandbox.workspace,
          env: sandbox.env,
        });
      await run("pause");
      await answerFor(sandbox, sandbox.workspace, '"openTabs":[]');
      expect(await askCodex(cli, "In a pause")).not.toContain("greeting.ts");
      await run("resume");
      await answerFor(sandbox, sandbox.workspace, "greeting.ts");
      expect(await promptCodex(cli, "After it")).toContain("## Active file: greeting.ts");
    },
    { needs },
  );
}
