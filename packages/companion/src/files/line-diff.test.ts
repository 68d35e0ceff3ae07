import { expect, test } from "vitest";
import { diffLines, linesOf, sizeOf } from "./line-diff.ts";

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join("");

const count = (before: string, after: string) => sizeOf(diffLines(linesOf(before), linesOf(after)));

test("a changed, an added and a removed line are counted", () => {
  const before = lines("a", "b", "c", "d");
  const after = lines("a", "B", "c", "d", "e");
  expect(count(before, after)).toEqual({ added: 2, removed: 1 });
});

test("a new file is all added, an emptied one all removed", () => {
  expect(count("", "one\ntwo")).toEqual({ added: 2, removed: 0 });
  expect(count("one\ntwo\n", "")).toEqual({ added: 0, removed: 2 });
});

test("a changed line ending or a lost last newline is a changed line", () => {
  expect(count("a\r\nb\r\n", "a\nb\r\n")).toEqual({ added: 1, removed: 1 });
  expect(count("a\nb\n", "a\nb")).toEqual({ added: 1, removed: 1 });
});

test("thousands of changed lines are a change each, and not one from the first to the last", () => {
  const before = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
  const after = before.map((line, index) => (index % 4 === 1 ? `new ${index}` : line));
  expect(diffLines(before, after)).toHaveLength(5000);
});

test("the count is that of the smallest diff, whatever the texts", () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 60; round += 1) {
    const alphabet = 1 + random(12);
    const old = Array.from({ length: random(140) }, () => String(random(alphabet)));
    const fresh = Array.from({ length: random(140) }, () => String(random(alphabet)));
    const kept = longestByTable(old, fresh);
    expect(count(lines(...old), lines(...fresh))).toEqual({
      added: fresh.length - kept,
      removed: old.length - kept,
    });
  }
});

function longestByTable(old: string[], fresh: string[]): number {
  let row = new Array<number>(fresh.length + 1).fill(0);
  for (const line of old) {
    const next = [0];
    for (const [index, other] of fresh.entries()) {
      const kept = line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0);
      next.push(kept);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
