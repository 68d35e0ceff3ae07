import { diffArrays } from "diff";

/** Milliseconds after which an exact count is given up. */
const patience = 100;

/** Lines added and removed between two texts. */
export interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

/** Texts that have too little in common are estimated: a line that occurs in both counts as kept, wherever it is. */
export function countLineChanges(before: string, after: string): LineChanges {
  const [old = [], fresh = []] = changedParts(before, after).map(linesOf);
  const parts = diffArrays(old, fresh, { timeout: patience });
  const same = parts?.filter(({ added, removed }) => !added && !removed);
  const kept = same?.reduce((sum, { value }) => sum + value.length, 0) ?? linesInBoth(old, fresh);
  return { added: fresh.length - kept, removed: old.length - kept };
}

/** What lies between the lines that both texts begin with and those that both end with: much less to split. */
function changedParts(before: string, after: string): [string, string] {
  const most = Math.min(before.length, after.length);
  const head = (text: string, from: number, to: number) => text.slice(from, to);
  const start = before.slice(0, inCommon(before, after, most, head)).lastIndexOf("\n") + 1;
  const tail = (text: string, from: number, to: number) => text.slice(text.length - to, text.length - from);
  const newline = before.indexOf("\n", before.length - inCommon(before, after, most - start, tail));
  const end = newline < 0 ? 0 : before.length - newline - 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

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

/** Each with its own line ending, so that a changed ending is a changed line. */
const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g) ?? [];

function linesInBoth(old: readonly string[], fresh: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of old) left.set(line, (left.get(line) ?? 0) + 1);
  let both = 0;
  for (const line of fresh) {
    const count = left.get(line) ?? 0;
    if (count > 0) both += 1;
    left.set(line, count - 1);
  }
  return both;
}
