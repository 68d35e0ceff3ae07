import { Change, presentableDiff } from "@codemirror/merge";
import { diffNumbers } from "./line-ranges.ts";

/** Blocks with more characters on one side are not compared within their lines. */
const detailLimit = 20_000;

/** Blocks with more characters are compared only coarsely while the user types in them. */
const quickLimit = 1_000_000;

/** A block counts as rewritten when a larger share of its characters has changed. */
const rewritten = 0.5;

/** Limits of the search for the smallest difference, in characters and milliseconds. Beyond them it is coarser. */
const detailSearch = { scanLimit: 500, timeout: 40 };

/**
 * Compares two texts line by line, and changed blocks character by character. Comparing lines first does not mix
 * unrelated lines, and is fast for large texts.
 */
export function diffInDetail(before: string, after: string): readonly Change[] {
  return diffLines(before, after).flatMap((block) => compareWithin(block, before, after));
}

/** Compares whole lines only. */
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

/** Compares whole lines of large texts. */
export interface LargeDiff {
  compare(before: string, after: string): readonly Change[];
  /** To be called before a comparison of texts that were replaced, not edited. */
  compareFully(): void;
}

/**
 * While the user types in a block of over a million characters, it stays one block, because comparing its lines would
 * take longer than a keystroke may.
 * @param options isWhole: the first comparison compares all lines
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
    compareFully: () => {
      isWhole = true;
    },
  };
}

/** The length of the equal whole lines at the start and at the end, in characters. */
function commonLines(before: string, after: string): { readonly start: number; readonly end: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  // Back to the start of that line. lastIndexOf treats a negative position as 0.
  start = start === 0 ? 0 : before.lastIndexOf("\n", start - 1) + 1;
  const most = shorter - start;
  let end = 0;
  const [lastA, lastB] = [before.length - 1, after.length - 1];
  while (end < most && before.charCodeAt(lastA - end) === after.charCodeAt(lastB - end)) end += 1;
  // Back to the start of a line in both texts.
  const isLineStart = (text: string) => end === text.length || text[text.length - end - 1] === "\n";
  while (end > 0 && !(isLineStart(before) && isLineStart(after))) end -= 1;
  return { start, end };
}

function compareWithin(block: Change, before: string, after: string): readonly Change[] {
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
  // In rewritten lines, equal characters are coincidence.
  if (Math.max(removed / (toA - fromA), added / (toB - fromB)) > rewritten) return [block];
  return changes.map(
    (change) =>
      new Change(fromA + change.fromA, fromA + change.toA, fromB + change.fromB, fromB + change.toB),
  );
}

/** A text whose every line is one number; equal lines of both texts are equal numbers. */
interface NumberedLines {
  readonly numbers: Int32Array;
  /** Where a line begins in the text; the text's length for the line after the last. */
  offset(line: number): number;
}

/** Numbers the lines of two texts, each line with its line feed. */
function numberLines(
  before: string,
  after: string,
): { readonly a: NumberedLines; readonly b: NumberedLines } {
  const known = new Map<string, number>();
  return { a: numberText(before, known), b: numberText(after, known) };
}

function numberText(text: string, known: Map<string, number>): NumberedLines {
  const starts: number[] = [];
  const numbers: number[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed + 1;
    const line = text.slice(start, end);
    let number = known.get(line);
    if (number === undefined) {
      number = known.size;
      known.set(line, number);
    }
    starts.push(start);
    numbers.push(number);
    start = end;
  }
  return { numbers: Int32Array.from(numbers), offset: (line) => starts[line] ?? text.length };
}
