import { expect, test } from "vitest";
import { createHeard } from "../harness/heard.ts";
import { runSequences, sequences } from "./sequences.ts";

test("random sequences of three CLIs and two editors break no promise", async () => {
  const { report, broken, figures } = createHeard();
  await sequences.run({ minutes: 0.1, seed: 20_260, report });
  expect(broken).toEqual([]);
  expect(figures.sequences).toBeGreaterThanOrEqual(50);
});

test("nor do some in which companions, editors and CLIs are killed", async () => {
  const { report, broken, figures } = createHeard();
  await runSequences({ minutes: 2, seed: 20_261, report }, { count: 6, kills: 20 });
  expect(broken).toEqual([]);
  expect(figures.sequences).toBe(6);
});
