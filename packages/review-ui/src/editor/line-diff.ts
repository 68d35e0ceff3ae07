import { Change, presentableDiff } from "@codemirror/merge";
import { diffNumbers } from "./line-ranges.ts";
import { numberLines } from "./numbered-lines.ts";

/** Characters on one side of a changed block up to which changes within its lines are looked for. */
const detailLimit = 20_000;

/** Characters from which a block is compared quickly while the user types in it. */
const quickLimit = 1_000_000;

/** The share of a block's characters from which it counts as rewritten. */
const rewritten = 0.5;

/** How far a search for the smallest difference goes, in characters and milliseconds, before a coarser one will do. */
const detailSearch = { scanLimit: 500, timeout: 40 };

/**
 * The difference of two texts line by line, and within changed blocks character by character. Comparing lines first
 * keeps unrelated lines apart, as people expect of a review, and large texts fast.
 */
export function diffInDetail(before: string, after: string): readonly Change[] {
  return diffLines(before, after).flatMap((block) => lookWithin(block, before, after));
}

/** Whole lines only. */
export function diffLines(before: string, after: string): readonly Change[] {
  const { start, end } = commonLines(before, after);
  const { a, b } = numberLines(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  return diffNumbers(a.numbers, b.numbers).map(
    ({ fromA, toA, fromB, toB }) =>
      new Change(
        start + a.offset(fromA),
        start + a.offset(toA),
        start + b.offset(fromB),
        start + b.offset(toB),
      ),
  );
}

/** A comparison of texts too large to look closer: whole lines. */
export interface LargeDiff {
  compare(before: string, after: string): readonly Change[];
  /** The next comparison is of texts that somebody has replaced, not typed in. */
  lookAgain(): void;
}

/**
 * What is compared again because the user types in a block of over a million characters stays one block: to find that
 * block's lines again would take longer than a keystroke may.
 * @param options isWhole: the first comparison is of texts of which nothing is known
 */
export function createLargeDiff({ isWhole = true } = {}): LargeDiff {
  return {
    compare: (before, after) => {
      const isTyped = !isWhole;
      isWhole = false;
      if (!isTyped || Math.min(before.length, after.length) < quickLimit) return diffLines(before, after);
      const { start, end } = commonLines(before, after);
      const block = new Change(start, before.length - end, start, after.length - end);
      return block.fromA === block.toA && block.fromB === block.toB ? [] : [block];
    },
    lookAgain: () => {
      isWhole = true;
    },
  };
}

/** How many characters of whole lines both texts begin and end with. */
function commonLines(before: string, after: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  // Back to where that line begins; a negative place would be taken for the first.
  start = start === 0 ? 0 : before.lastIndexOf("\n", start - 1) + 1;
  const most = shorter - start;
  let end = 0;
  const [lastA, lastB] = [before.length - 1, after.length - 1];
  while (end < most && before.charCodeAt(lastA - end) === after.charCodeAt(lastB - end)) end += 1;
  // Back to where a line begins in both.
  const isLineStart = (text: string) => end === text.length || text[text.length - end - 1] === "\n";
  while (end > 0 && !(isLineStart(before) && isLineStart(after))) end -= 1;
  return { start, end };
}

function lookWithin(block: Change, before: string, after: string): readonly Change[] {
  const { fromA, toA, fromB, toB } = block;
  const isPure = fromA === toA || fromB === toB;
  if (isPure || toA - fromA > detailLimit || toB - fromB > detailLimit) return [block];
  const changes = presentableDiff(before.slice(fromA, toA), after.slice(fromB, toB), detailSearch);
  let removed = 0;
  let added = 0;
  for (const change of changes) {
    removed += change.toA - change.fromA;
    added += change.toB - change.fromB;
  }
  // Lines that have been rewritten are read as a whole: the letters they happen to share say nothing.
  if (Math.max(removed / (toA - fromA), added / (toB - fromB)) > rewritten) return [block];
  return changes.map(
    (change) =>
      new Change(fromA + change.fromA, fromA + change.toA, fromB + change.fromB, fromB + change.toB),
  );
}
