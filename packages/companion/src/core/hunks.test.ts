import { expect, test } from "vitest";
import { nextOf } from "./hunks.ts";

test.each<[cursor: number, step: 1 | -1, line: number | undefined]>([
  [-1, 1, 0],
  [0, 1, 7],
  [3, 1, 7],
  [7, 1, undefined],
  [9, -1, 7],
  [7, -1, 0],
  [0, -1, undefined],
])("from line %i, a step of %i leads to the change at %s", (cursor, step, line) => {
  expect(nextOf([0, 7], cursor, step)).toBe(line);
});
