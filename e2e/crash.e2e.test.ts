import { existsSync } from "node:fs";
import { expect } from "vitest";
import { chain } from "./harness/chain.ts";
import { startCompanion } from "./harness/companion.ts";
import { givenUp } from "./harness/dead-port.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { startScene } from "./harness/scene.ts";

for (const kind of [gemini, qwen]) {
  chain(`${kind.displayName}, killed with its diff open, leaves no diff behind`, async (world) => {
    const { page, cli } = await startScene(world, kind);
    await cli.proposeWrite(world.path("orphan.txt"), "orphan\n");
    const proposal = await page.proposal("orphan.txt");
    await cli.kill();
    await proposal.gone();
    await page.nothingWaits();
    expect(await world.read("orphan.txt")).toBeUndefined();
  });

  chain(
    `the page offers the edits that ${kind.displayName}, stopped for long and killed, has not read the acceptance of`,
    async (world) => {
      const { page, cli } = await startScene(world, kind);
      await cli.proposeWrite(world.path("note.txt"), "first\nsecond\n");
      const proposal = await page.proposal("note.txt");
      await proposal.edit("second", "second, edited");
      await cli.standStill();
      await proposal.accept();
      await proposal.gone();
      await page.page.getByText("with your edits, not written").first().waitFor();
      await cli.kill();
      expect(await page.keptEdits("note.txt")).toBe("first\nsecond, edited\n");
      expect(await world.read("note.txt")).toBeUndefined();
    },
  );

  chain(`a companion that is ended rejects what ${kind.displayName} waits for`, async (world) => {
    const { companion, page, cli } = await startScene(world, kind);
    await cli.proposeWrite(world.path("late.txt"), "late\n");
    await page.proposal("late.txt");
    await page.close();
    await companion.stop();
    await cli.terminal.waitFor(kind.rejected);
    expect(await world.read("late.txt")).toBeUndefined();
  });

  chain(
    `after a crash the next companion sweeps, and ${kind.displayName} finds it by /ide enable`,
    async (world) => {
      const { companion, page, cli } = await startScene(world, kind);
      const stale = await discoveryFiles(world);
      expect(stale.length).toBeGreaterThan(0);
      await companion.kill();
      await page.close();
      await givenUp(world, companion.port);
      await cli.disconnected();
      expect(
        stale.every((path) => existsSync(path)),
        "a crash leaves its files",
      ).toBe(true);

      const next = await startCompanion(world);
      expect(stale.filter((path) => existsSync(path))).toEqual([]);
      const nextPage = await openReviewPage(world, next.link);
      await cli.say("/ide enable");
      await cli.connected();
      await cli.proposeWrite(world.path("after.txt"), "after\n");
      await (await nextPage.proposal("after.txt")).accept();
      await cli.finished();
      expect(String(await world.read("after.txt"))).toBe("after\n");
    },
  );
}

chain("a companion that is ended takes its discovery files with it and leaves no process", async (world) => {
  const companion = await startCompanion(world);
  expect((await discoveryFiles(world)).length).toBeGreaterThan(0);
  // As shells tell that a signal has ended a program.
  expect(await companion.stop("SIGTERM")).toBe(143);
  expect(await discoveryFiles(world)).toEqual([]);
});
