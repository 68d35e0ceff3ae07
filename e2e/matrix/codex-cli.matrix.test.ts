import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { askAsCodex, codexSocket, contextOf } from "../../packages/testkit/src/fake-cli/codex-cli.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Codex, startCodex } from "../harness/codex.ts";
import { startCompanion } from "../harness/companion.ts";
import { neovim as neovimProgram, codex as program } from "../harness/installed.ts";
import { startNeovim } from "../harness/neovim.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";

const needs = { "Codex CLI": program };
const greeting = 'const who = "sandbox";\nexport const text = "Hello";\n';

/** Sends a prompt. @returns what the model was sent with it, the CLI's whole request */
async function prompt(cli: Codex, words: string): Promise<string> {
  cli.model.plan({ text: `An answer to: ${words}.` });
  await cli.say(words);
  await cli.terminal.waitFor(`An answer to: ${words}.`);
  const { text } = await cli.model.request(words);
  // Earlier prompts stand in it as well.
  return text.slice(text.lastIndexOf("# Context from my IDE setup"));
}

/** Waits until a companion answers for a folder. */
const answered = (sandbox: Sandbox, folder: string) =>
  poll(`answer for ${folder}`, async () => {
    const end = (cleanup: () => void) => void sandbox.own({ close: async () => cleanup() });
    const answer = await askAsCodex(codexSocket(sandbox), folder, end).then(contextOf, () => undefined);
    return typeof answer === "object" ? answer : undefined;
  });

scenario(
  "Codex CLI has the selection of Neovim",
  async (sandbox) => {
    const editor = await startNeovim(sandbox, [await sandbox.write("src/greeting.ts", greeting)]);
    await editor.select("const text");
    const cli = await startCodex(sandbox);
    await cli.say("/ide on");
    await cli.terminal.waitFor("IDE context is on");
    const text = await prompt(cli, "Describe what you see");
    expect(text).toContain("## Active file: src/greeting.ts");
    expect(text).toContain("## Active selection of the file:\nconst text\n");
  },
  { needs: { ...needs, Neovim: neovimProgram } },
);

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
    await answered(sandbox, other);
    await cli.say("/ide on");
    await cli.terminal.waitFor("IDE context is on");
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
    await cli.say("/ide on");
    await cli.terminal.waitFor("IDE context is on");
    expect(await prompt(cli, "Describe what you see")).toContain("selection of the file:\nconst text\n");
    await router.kill();
    await answered(sandbox, other);
    await page.select('"Hello"');
    await poll("the new selection", async () => {
      const context = await answered(sandbox, other);
      return JSON.stringify(context).includes("Hello") || undefined;
    });
    expect(await prompt(cli, "And now")).toContain('selection of the file:\n"Hello"\n');
  },
  { needs },
);

scenario(
  "Codex CLI goes on without an editor that is closed, and has the next one without a word",
  async (sandbox) => {
    await sandbox.write("greeting.ts", greeting);
    const companion = await startCompanion(sandbox);
    const cli = await startCodex(sandbox);
    await cli.say("/ide on");
    await cli.terminal.waitFor("IDE context is on");
    await companion.stop();
    expect(await prompt(cli, "Is nobody there")).not.toContain("greeting.ts");
    await cli.terminal.waitFor("IDE context was skipped for this message");
    const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    await page.openFile("greeting.ts");
    await poll("the open file", async () => {
      const context = await answered(sandbox, sandbox.workspace);
      return JSON.stringify(context).includes("greeting.ts") || undefined;
    });
    expect(await prompt(cli, "And now")).toContain("## Active file: greeting.ts");
  },
  { needs },
);
