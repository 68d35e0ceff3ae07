import { expect, test } from "vitest";
import { parseWords, quote } from "./remote.ts";

test("whatever a text holds, its word stands for it", () => {
  const texts = ["plain", "it's", "''", "", " two  words ", "%{ } %sh{rm}", "line\nline", "-dash", "😀"];
  expect(parseWords([...texts, "end"].map(quote).join(" "))).toEqual(texts);
});

test("words that are not all there are none", () => {
  expect(parseWords("'one' 'tw")).toBeUndefined();
  expect(parseWords("'one' tw")).toBeUndefined();
  expect(parseWords("'one' 'two'")).toBeUndefined();
});
