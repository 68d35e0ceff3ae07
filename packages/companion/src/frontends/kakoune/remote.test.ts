import { expect, test } from "vitest";
import { countSteps, parseWords, quote } from "./remote.ts";

test("whatever a text holds, its word stands for it", () => {
  const texts = ["plain", "it's", "''", "", " two  words ", "%{ } %sh{rm}", "line\nline", "-dash", "😀"];
  expect(parseWords([...texts, "end"].map(quote).join(" "))).toEqual(texts);
});

test("words that are not all there are none", () => {
  expect(parseWords("'one' 'tw")).toBeUndefined();
  expect(parseWords("'one' tw")).toBeUndefined();
  expect(parseWords("'one' 'two'")).toBeUndefined();
});

test.each([
  ["plain text", 7, 6],
  ["😀 after", 3, 1],
  ["😀 after", 4, 2],
  ["in the middle of 😀", 19, 17],
  ["beyond", 100, 99],
])("in %j the character %i is so many steps away: %i", (line, character, steps) => {
  expect(countSteps(line, character)).toBe(steps);
});
