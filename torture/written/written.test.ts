import { expect, test } from "vitest";
import { createReport } from "../torture.ts";
import { runWritten } from "./written.ts";

test("in random sequences no line of the user's is lost, or counts as an agent's, and those of commands are recorded", async () => {
  const { report, broken, figures } = createReport();
  await runWritten({ minutes: 2, seed: 20_262, report }, 30);
  expect(broken).toEqual([]);
  expect(figures.sequences).toBe(30);
  expect(figures["lines of commands found in the record"]).toBeGreaterThan(10);
});
