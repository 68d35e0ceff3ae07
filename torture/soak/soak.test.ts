import { expect, test } from "vitest";
import { createCollector } from "../harness/collector.ts";
import { whatHasGrown } from "./flat.ts";
import { runSoak } from "./soak.ts";

const slack = { heap: 4 * 2 ** 20, resident: 100 * 2 ** 20, count: 3 };

test("some sessions do a short day's work, and the companion's process does not grow", async () => {
  const { report, broken, figures } = createCollector();
  await runSoak({ minutes: 0.02, seed: 7, report }, { sessions: 6, slack });
  expect(broken).toEqual([]);
  expect(figures.proposals).toBeGreaterThan(0);
  expect(figures.outcomes).toBeGreaterThan(0);
});

test("growth is reported with its amount and its limit", () => {
  const samples = [10, 10, 11, 12, 14, 14, 15, 15].map((count) => ({
    heap: count * 2 ** 20,
    resident: 0,
    descriptors: count,
    handles: 5,
  }));
  expect(whatHasGrown(samples, { ...slack, heap: 2 ** 20 })).toEqual([
    `heap has grown from ${10 * 2 ** 20} to ${15 * 2 ** 20}, ${2 ** 20} more are allowed`,
    "descriptors has grown from 10 to 15, 3 more are allowed",
  ]);
  expect(whatHasGrown(samples, { heap: 5 * 2 ** 20, resident: 0, count: 5 })).toEqual([]);
});
