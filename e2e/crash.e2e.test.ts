import { existsSync } from "node:fs";
import { expect } from "vitest";
import { startCompanion } from "./harness/companion.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { givenUp } from "./harness/dying-companion.ts";
import { startFixture } from "./harness/fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";

for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName}, killed with its diff open, leaves no diff behind`,
    async (sandbox) => {
      const { page, cli } = await startFixture(sandbox, kind);
      await cli.proposeWrite(sandbox.path("orphan.txt"), "orphan\n");
      const proposal = await page.proposal("orphan.txt");
      await cli.kill();
      await proposal.gone();
      await page.nothingWaits();
      expect(await sandbox.read("orphan.txt")).toBeUndefined();
    },
    { matrix: true },
  );

  scenario(
    `the page offers the edits that ${kind.displayName}, stopped for long and killed, has not read the acceptance of`,
    async (sandbox) => {
      // What a terminal has started itself, it lets go on: what stands still is the CLI below that.
      const { page, cli } = await startFixture(sandbox, kind, { relaunches: true });
      await cli.proposeWrite(sandbox.path("note.txt"), "first\nsecond\n");
      const proposal = await page.proposal("note.txt");
      await proposal.edit("second", "second, edited");
      await cli.standStill();
      await proposal.accept();
      await proposal.gone();
      await page.page.getByText("with your edits, not written").first().waitFor();
      await cli.kill();
      expect(await page.keptEdits("note.txt")).toBe("first\nsecond, edited\n");
      expect(await sandbox.read("note.txt")).toBeUndefined();
    },
    { matrix: kind === gemini },
  );

  scenario(
    `a companion that is ended rejects what ${kind.displayName} waits for`,
    async (sandbox) => {
      const { companion, page, cli } = await startFixture(sandbox, kind);
      await cli.proposeWrite(sandbox.path("late.txt"), "late\n");
      await page.proposal("late.txt");
      await page.close();
      await companion.stop();
      await cli.terminal.waitFor(kind.rejected);
      expect(await sandbox.read("late.txt")).toBeUndefined();
    },
    { matrix: true },
  );

  scenario(
    `after a crash the next companion sweeps, and ${kind.displayName} finds it by /ide enable`,
    async (sandbox) => {
      const { companion, page, cli } = await startFixture(sandbox, kind);
      const stale = await discoveryFiles(sandbox);
      expect(stale.length).toBeGreaterThan(0);
      await companion.kill();
      await page.close();
      await givenUp(sandbox, companion.port);
      await cli.disconnected();
      expect(
        stale.every((path) => existsSync(path)),
        "a crash leaves its files",
      ).toBe(true);

      const next = await startCompanion(sandbox);
      expect(stale.filter((path) => existsSync(path))).toEqual([]);
      const nextPage = await openReviewPage(sandbox, next.link);
      await cli.say("/ide enable");
      await cli.connected();
      await cli.proposeWrite(sandbox.path("after.txt"), "after\n");
      await (await nextPage.proposal("after.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("after.txt"))).toBe("after\n");
    },
    { matrix: kind === gemini },
  );
}

scenario(
  "a companion that is ended takes its discovery files with it and leaves no process",
  async (sandbox) => {
    const companion = await startCompanion(sandbox);
    expect((await discoveryFiles(sandbox)).length).toBeGreaterThan(0);
    // As shells tell that a signal has ended a program.
    expect(await companion.stop("SIGTERM")).toBe(143);
    expect(await discoveryFiles(sandbox)).toEqual([]);
  },
);
