import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchVisibleDocument } from "./plain-tier.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function visibleDocument() {
  const looked: string[] = [];
  return { looked, see: watchVisibleDocument((uri) => looked.push(uri)) };
}

test("one document alone on the screen has the user's eyes, however often it is asked for", () => {
  const { looked, see } = visibleDocument();
  for (const uri of ["a", "a", "a"]) see(uri);
  vi.advanceTimersByTime(50);
  expect(looked).toEqual(["a"]);
});

test("of several documents on the screen nobody knows which", () => {
  const { looked, see } = visibleDocument();
  for (const uri of ["a", "b", "a"]) see(uri);
  vi.advanceTimersByTime(50);
  expect(looked).toEqual([]);
});

test("what is seen later counts alone", () => {
  const { looked, see } = visibleDocument();
  for (const uri of ["a", "b"]) see(uri);
  vi.advanceTimersByTime(50);
  see("b");
  vi.advanceTimersByTime(50);
  expect(looked).toEqual(["b"]);
});
