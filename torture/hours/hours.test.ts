import { expect, test } from "vitest";
import { createCollector } from "../harness/collector.ts";
import { runHours } from "./hours.ts";

test("an hour on a simulated clock: streams are kept alive, sessions end in time, nothing grows", async () => {
  const { report, broken, figures } = createCollector();
  const slack = { heap: 4 * 2 ** 20, resident: 200 * 2 ** 20, count: 2 };
  await runHours({ minutes: 1, seed: 7, report }, { hours: 1, sessions: 10, slack });
  expect(broken).toEqual([]);
  expect(figures.hours).toBe("1.0");
  // Ten agents, a comment each 15 seconds, and some of them away now and then.
  expect(figures["keep-alives"]).toBeGreaterThan(2200);
});
