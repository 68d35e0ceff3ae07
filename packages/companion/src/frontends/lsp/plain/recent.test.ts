import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("what has happened is taken once, in its order, by its key", () => {
  const recent = new Recent<number>(1000, () => 0);
  recent.add("a", 1);
  recent.add("b", 2);
  recent.add("a", 3);
  expect(recent.take("a")).toEqual([1, 3]);
  expect(recent.take("a")).toEqual([]);
  expect(recent.take("b")).toEqual([2]);
});

test("what is too old is forgotten", () => {
  let now = 0;
  const recent = new Recent<string>(1000, () => now);
  recent.add("a", "old");
  now = 999;
  recent.add("a", "new");
  now = 1000;
  expect(recent.take("a")).toEqual(["new"]);
});

test("nothing is remembered for no time", () => {
  const recent = new Recent<string>(0, () => 0);
  recent.add("a", "now");
  expect(recent.take("a")).toEqual([]);
});
