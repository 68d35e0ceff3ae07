import { expect, test } from "vitest";
import { countSteps } from "./guide.ts";

test.each([
  ["plain text", 7, 6],
  ["😀 after", 3, 1],
  ["😀 after", 4, 2],
  ["in the middle of 😀", 19, 17],
  ["beyond", 100, 99],
])("in %j the character %i is so many steps away: %i", (line, character, steps) => {
  expect(countSteps(line, character)).toBe(steps);
});
