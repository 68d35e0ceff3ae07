import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { answerFor, enableIde, promptCodex, startCodex } from "../harness/codex.ts";
import { startCompanion } from "../harness/companion.ts";
import { codex as program } from "../harness/installed.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";

const needs = { "Codex CLI": program };
const greeting = 'const who = "sandbox";\nexport const text = "Hello";\n';

scenario(
  "Codex CLI of another folder finds no editor, and finds one once it is there",
  async (sandbox) => {
    const other = join(sandbox.home, "other");
    await mkdir(other);
    await startCompanion(sandbox);
    const cli = await startCodex(sandbox, { cwd: other });
    await cli.say("/ide on");
    await cli.terminal.waitFor("IDE context could not be enabled");
    await startCompanion(sandbox, { args: [other] });
    await answerFor(sandbox, other);
    await enableIde(cli);
  },
  { needs },
);

scenario(
  "Codex CLI keeps its editor when the companion through which they spoke is killed",
  async (sandbox) => {
    const other = join(sandbox.home, "other");
    await mkdir(other);
    await writeFile(join(other, "greeting.ts"), greeting);
    const router = await startCompanion(sandbox);
    const companion = await startCompanion(sandbox, { args: [other] });
    const page = await openReviewPage(sandbox, companion.link);
    await page.openFile("greeting.ts");
    await page.select("const text");
    const cli = await startCodex(sandbox, { cwd: other });
    await enableIde(cli);
    expect(await promptCodex(cli, "Describe what you see")).toContain("selection of the file:\nconst text\n");
    await router.kill();
    await answerFor(sandbox, other);
    await page.select('"Hello"');
    await answerFor(sandbox, other, "Hello");
    expect(await promptCodex(cli, "And now")).toContain('selection of the file:\n"Hello"\n');
  },
  { needs },
);

scenario(
  "Codex CLI goes on without an editor that is closed, and has the next one without a word",
  async (sandbox) => {
    await sandbox.write("greeting.ts", greeting);
    const companion = await startCompanion(sandbox);
    const cli = await startCodex(sandbox);
    await enableIde(cli);
    await companion.stop();
    expect(await promptCodex(cli, "Is nobody there")).not.toContain("greeting.ts");
    await cli.terminal.waitFor("IDE context was skipped for this message");
    const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    await page.openFile("greeting.ts");
    await answerFor(sandbox, sandbox.workspace, "greeting.ts");
    expect(await promptCodex(cli, "And now")).toContain("## Active file: greeting.ts");
  },
  { needs },
);
