import { diffArrays } from "diff";

/** Milliseconds after which texts count as different from the first changed line to the last. */
const patience = 300;

/** Lines of one text in the place of lines of another: where they begin, 0-based, and how many of each. */
export interface LineChange {
  /** In the text after. */
  readonly line: number;
  readonly added: number;
  /** In the text before. */
  readonly at: number;
  readonly removed: number;
}

/**
 * The only comparison of lines.
 * @returns in order; a line that stays is between two changes.
 */
export function diffLines(before: readonly string[], after: readonly string[]): LineChange[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  // Lines that only one of the texts has are changes anyway. Without them, most texts differ in little.
  const [oldShared, freshShared] = [numbersOf(old, new Set(fresh)), numbersOf(fresh, new Set(old))];
  const changes: LineChange[] = [];
  let [oldNext, freshNext] = [0, 0];
  /** These are one line, or the ends of both texts: what comes before them is a change. */
  const meet = (oldLine: number, freshLine: number) => {
    const [added, removed] = [freshLine - freshNext, oldLine - oldNext];
    if (added + removed > 0) changes.push({ line: head + freshNext, added, at: head + oldNext, removed });
    [oldNext, freshNext] = [oldLine + 1, freshLine + 1];
  };
  const parts = diffArrays(
    oldShared.map((number) => old[number]),
    freshShared.map((number) => fresh[number]),
    { timeout: patience },
  );
  let [oldIndex, freshIndex] = [0, 0];
  for (const { added, removed, value } of parts ?? []) {
    if (added) freshIndex += value.length;
    else if (removed) oldIndex += value.length;
    else for (const _ of value) meet(oldShared[oldIndex++] ?? 0, freshShared[freshIndex++] ?? 0);
  }
  meet(old.length, fresh.length);
  return changes;
}

/** The numbers of the lines that another text has, too. */
const numbersOf = (text: readonly string[], other: ReadonlySet<string>) =>
  text.flatMap((line, number) => (other.has(line) ? [number] : []));

/** Each with its end; a carriage return alone ends none. */
export const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/** How many lines are added and removed by all changes together. */
export const sizeOf = (changes: readonly Pick<LineChange, "added" | "removed">[]) => ({
  added: changes.reduce((sum, { added }) => sum + added, 0),
  removed: changes.reduce((sum, { removed }) => sum + removed, 0),
});

/** How many UTF-16 units two texts begin with in common. */
export const commonStart = (one: string, other: string): number =>
  inCommon(one, other, Math.min(one.length, other.length), (text, from, to) => text.slice(from, to));

/** How many units they end with in common, behind so many at the start. */
export const commonEnd = (one: string, other: string, start: number): number =>
  inCommon(one, other, Math.min(one.length, other.length) - start, (text, from, to) =>
    text.slice(text.length - to, text.length - from),
  );

/** How many units, `most` at most, two texts have in common at one end. Whole parts are compared: many times faster. */
function inCommon(
  one: string,
  other: string,
  most: number,
  partOf: (text: string, from: number, to: number) => string,
): number {
  let [same, high] = [0, most];
  while (same < high) {
    const middle = Math.ceil((same + high) / 2);
    if (partOf(one, same, middle) === partOf(other, same, middle)) same = middle;
    else high = middle - 1;
  }
  return same;
}

/** The lines of the second text that the first one has too, wherever: each as often as in both. */
export function linesInBoth(old: readonly string[], fresh: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  return fresh.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count > 0;
  });
}
