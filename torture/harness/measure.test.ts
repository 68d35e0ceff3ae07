import { expect, test } from "vitest";
import { whatHasGrown } from "./measure.ts";

test("growth is reported with its amount and its limit", () => {
  const samples = [10, 10, 11, 12, 14, 14, 15, 15].map((count) => ({
    heap: count * 2 ** 20,
    resident: 0,
    descriptors: count,
    handles: 5,
  }));
  expect(whatHasGrown(samples, { heap: 2 ** 20, resident: 0, count: 3 })).toEqual([
    `heap has grown from ${10 * 2 ** 20} to ${15 * 2 ** 20}, ${2 ** 20} more are allowed`,
    "descriptors has grown from 10 to 15, 3 more are allowed",
  ]);
  expect(whatHasGrown(samples, { heap: 5 * 2 ** 20, resident: 0, count: 5 })).toEqual([]);
});
