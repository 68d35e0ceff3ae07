import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { run } from "../packages/testkit/src/run.ts";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { patience, poll } from "../packages/testkit/src/waiting.ts";
import { startCompanion } from "./harness/companion.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { startFixture } from "./harness/fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { companionScript } from "./harness/installed.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";

scenario(
  "Gemini CLI writes what was edited in the page when it is accepted in the terminal; that a change was written is said, and within seconds that another was not, after one Ctrl-C",
  async (sandbox) => {
    const { companion, page, cli } = await startFixture(sandbox, gemini);
    await cli.proposeWrite(sandbox.path("note.txt"), "first\nsecond\n");
    const inTerminal = await page.proposal("note.txt");
    await inTerminal.edit("second", "second, edited");
    await cli.acceptInTerminal();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\nsecond, edited\n");
    await inTerminal.gone();

    await cli.proposeWrite(sandbox.path("written.txt"), "first\n");
    await (await page.proposal("written.txt")).accept();
    await companion.says("wrote written.txt");
    await page.page.getByText("accepted, written").waitFor();
    await cli.finished();

    await cli.proposeWrite(sandbox.path("late.txt"), "first\nsecond\n");
    const late = await page.proposal("late.txt");
    await late.edit("second", "second, edited");
    await cli.cancelTurn();
    await late.accept();
    await companion.says("has not written late.txt");
    await page.page.getByText("with your edits, not written").first().waitFor();
    expect(await page.keptEdits("late.txt")).toBe("first\nsecond, edited\n");
    expect(await sandbox.read("late.txt")).toBeUndefined();
  },
);

scenario(
  "the page offers the edits that Qwen Code, accepted in the terminal, does not take",
  async (sandbox) => {
    const { page, cli } = await startFixture(sandbox, qwen);
    await cli.proposeWrite(sandbox.path("note.txt"), "first\nsecond\n");
    const proposal = await page.proposal("note.txt");
    await proposal.edit("second", "second, edited");
    await cli.acceptInTerminal();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\nsecond\n");
    expect(await page.keptEdits("note.txt")).toBe("first\nsecond, edited\n");
  },
);

for (const kind of [gemini, qwen]) {
  scenario(
    `Esc in ${kind.displayName}'s terminal closes the diff in the page`,
    async (sandbox) => {
      const { page, cli } = await startFixture(sandbox, kind);
      await cli.proposeWrite(sandbox.path("note.txt"), "first\n");
      const proposal = await page.proposal("note.txt");
      await cli.cancelInTerminal();
      await proposal.gone();
      await page.nothingWaits();
      expect(await sandbox.read("note.txt")).toBeUndefined();
    },
    { matrix: true },
  );
}

/** Waits until a companion has written what was typed to its private folder. */
async function typedIsOnDisk(sandbox: Sandbox, text: string): Promise<void> {
  const folder = join(sandbox.env.HOME ?? "", ".local", "state", "ide-companion", "edits");
  const texts = async () => {
    const names = await readdir(folder).catch(() => []);
    return Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  };
  const look = async () => (await texts()).find((found) => found.includes(text));
  await poll(`${text} on disk`, look, { within: patience, every: 50 });
}

/** The only recovered edits, as the command prints them. */
async function readEdits(sandbox: Sandbox): Promise<string> {
  const command = [companionScript, "edits", "show"];
  return (await run(process.execPath, command, { env: sandbox.env })).stdout;
}

for (const kind of [gemini, qwen]) {
  scenario(
    `edits survive Esc in ${kind.displayName}'s terminal, and the companion's end`,
    async (sandbox) => {
      const { companion, page, cli } = await startFixture(sandbox, kind);
      await cli.proposeWrite(sandbox.path("note.txt"), "first\nsecond\n");
      const proposal = await page.proposal("note.txt");
      await proposal.edit("second", "second, edited");
      await cli.cancelInTerminal();
      await proposal.gone();
      await companion.says("your edits are kept: ide-companion edits");
      expect(await page.keptEdits("note.txt")).toBe("first\nsecond, edited\n");
      await page.close();
      await companion.stop("SIGINT");
      expect(await readEdits(sandbox)).toBe("first\nsecond, edited\n");

      const next = await startCompanion(sandbox);
      await next.says("A text that you typed in a proposal is in no file: ide-companion edits");
      const nextPage = await openReviewPage(sandbox, next.link);
      expect(await nextPage.keptEdits("note.txt")).toBe("first\nsecond, edited\n");
    },
    { matrix: kind === qwen },
  );
}

for (const end of ["stop", "kill"] as const) {
  scenario(`what was typed in a page that was closed survives a companion's ${end}`, async (sandbox) => {
    const companion = await startCompanion(sandbox);
    const page = await openReviewPage(sandbox, companion.link);
    const cli = await startFakeCli(sandbox);
    await cli.proposeWrite(sandbox.path("note.txt"), "first\nsecond\n");
    await (await page.proposal("note.txt")).edit("second", "second, edited");
    await typedIsOnDisk(sandbox, "second, edited");
    await page.close();
    await companion[end]();
    expect(await readEdits(sandbox)).toBe("first\nsecond, edited\n");
  });
}
