import { expect } from "vitest";
import { chain } from "./harness/chain.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { startScene } from "./harness/scene.ts";

chain("Gemini CLI, accepted in the terminal, writes what was edited in the page", async (world) => {
  const { page, cli } = await startScene(world, gemini);
  await cli.proposeWrite(world.path("note.txt"), "first\nsecond\n");
  const proposal = await page.proposal("note.txt");
  await proposal.edit("second", "second, edited");
  await cli.acceptInTerminal();
  await cli.finished();
  expect(String(await world.read("note.txt"))).toBe("first\nsecond, edited\n");
  await proposal.gone();
});

chain("the page offers the edits that Qwen Code, accepted in the terminal, does not take", async (world) => {
  const { page, cli } = await startScene(world, qwen);
  await cli.proposeWrite(world.path("note.txt"), "first\nsecond\n");
  const proposal = await page.proposal("note.txt");
  await proposal.edit("second", "second, edited");
  await cli.acceptInTerminal();
  await cli.finished();
  expect(String(await world.read("note.txt"))).toBe("first\nsecond\n");
  expect(await page.keptEdits("note.txt")).toBe("first\nsecond, edited\n");
});

for (const kind of [gemini, qwen]) {
  chain(`Esc in ${kind.displayName}'s terminal closes the diff in the page`, async (world) => {
    const { page, cli } = await startScene(world, kind);
    await cli.proposeWrite(world.path("note.txt"), "first\n");
    const proposal = await page.proposal("note.txt");
    await cli.cancelInTerminal();
    await proposal.gone();
    await page.nothingWaits();
    expect(await world.read("note.txt")).toBeUndefined();
  });
}
