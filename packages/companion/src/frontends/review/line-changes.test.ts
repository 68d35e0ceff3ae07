import { expect, test } from "vitest";
import { countLineChanges } from "./line-changes.ts";

const lines = (...texts: string[]) => texts.map((text) => `${text}\n`).join("");

test("a changed, an added and a removed line are counted", async () => {
  const before = lines("a", "b", "c", "d");
  const after = lines("a", "B", "c", "d", "e");
  expect(await countLineChanges(before, after)).toEqual({ added: 2, removed: 1 });
});

test("a new file is all added, an emptied one all removed", async () => {
  expect(await countLineChanges("", "one\ntwo")).toEqual({ added: 2, removed: 0 });
  expect(await countLineChanges("one\ntwo\n", "")).toEqual({ added: 0, removed: 2 });
});

test("a changed line ending or a lost last newline is a changed line", async () => {
  expect(await countLineChanges("a\r\nb\r\n", "a\nb\r\n")).toEqual({ added: 1, removed: 1 });
  expect(await countLineChanges("a\nb\n", "a\nb")).toEqual({ added: 1, removed: 1 });
  expect(await countLineChanges("a\rb\r", "a\rb\rc")).toEqual({ added: 1, removed: 0 });
});

test("the count is that of the smallest diff, whatever the texts", async () => {
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
    expect(await countLineChanges(lines(...old), lines(...fresh))).toEqual({
      added: fresh.length - kept,
      removed: old.length - kept,
    });
  }
});

test("a whole rewrite of 2 MB does not hold up the event loop", async () => {
  const before = Array.from(
    { length: 60_000 },
    (_, index) => `before ${index % 500} ${"x".repeat(20)}\n`,
  ).join("");
  const after = Array.from(
    { length: 60_000 },
    (_, index) => `before ${(index * 7) % 500} ${"x".repeat(20)}\n`,
  ).join("");
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const changes = await countLineChanges(before, after);
  clearInterval(timer);
  expect(changes.added).toBe(changes.removed);
  expect(turns).toBeGreaterThan(1);
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
