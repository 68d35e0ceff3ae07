import { Change, diff, presentableDiff } from "@codemirror/merge";
import { commonEnd, commonStart } from "../../../companion/src/files/line-diff.ts";

/** Blocks with more characters on one side are not compared within their lines. */
const detailLimit = 20_000;

/** Blocks with more characters are compared only coarsely while the user types in them. */
const quickLimit = 1_000_000;

/** A block counts as rewritten when a larger share of its characters has changed. */
const rewritten = 0.5;

/** Limits of the search for the smallest difference, in characters and milliseconds. Beyond them it is coarser. */
const lineSearch = { timeout: 500 };
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
  const known = new Map<string, number>();
  const a = numberLines(before.slice(start, before.length - end), known);
  const b = numberLines(after.slice(start, after.length - end), known);
  const changes = diffNumbers(a.numbers, b.numbers).map(
    ({ fromA, toA, fromB, toB }) =>
      new Change(
        start + a.offset(fromA),
        start + a.offset(toA),
        start + b.offset(fromB),
        start + b.offset(toB),
      ),
  );
  return slideDown(changes, before, after);
}

/** Compares the two texts of an editor, again and again. */
export type TextDiff = ReturnType<typeof createTextDiff>;

interface TextDiffOptions {
  /** Whole lines are compared. */
  readonly isPlain: boolean;
  /** What the first comparison would find. */
  readonly known?: readonly Change[] | undefined;
}

/**
 * While the user types in a block of over a million characters, it stays one block, because comparing its lines would
 * take longer than a keystroke may.
 */
export function createTextDiff({ isPlain, known }: TextDiffOptions) {
  let first = known;
  let isWhole = known === undefined;
  return {
    compare: (before: string, after: string): readonly Change[] => {
      const changes = first;
      first = undefined;
      if (changes) return changes;
      if (!isPlain) return diffInDetail(before, after);
      const compareAll = isWhole;
      isWhole = false;
      if (compareAll || Math.min(before.length, after.length) < quickLimit) return diffLines(before, after);
      const { start, end } = commonLines(before, after);
      const block = new Change(start, before.length - end, start, after.length - end);
      return block.fromA === block.toA && block.fromB === block.toB ? [] : [block];
    },
    /** To be called before a comparison of texts that were replaced, not edited. */
    compareFully: () => {
      isWhole = true;
    },
  };
}

/** The length of the equal whole lines at the start and at the end, in characters. */
function commonLines(before: string, after: string): { readonly start: number; readonly end: number } {
  let start = commonStart(before, after);
  // Back to the start of that line. lastIndexOf treats a negative position as 0.
  start = start === 0 ? 0 : before.lastIndexOf("\n", start - 1) + 1;
  let end = commonEnd(before, after, start);
  // Back to the start of a line in both texts.
  const isLineStart = (text: string) => end === text.length || text[text.length - end - 1] === "\n";
  while (end > 0 && !(isLineStart(before) && isLineStart(after))) end -= 1;
  return { start, end };
}

/**
 * Moves changes of whole lines down while their first lines are equal, as `git diff` does: a line that is inserted
 * before an equal one is inserted after it. The editor takes a change that begins with an empty line in both texts to
 * begin behind it.
 */
export function slideDown(changes: readonly Change[], before: string, after: string): readonly Change[] {
  const slid: Change[] = [];
  for (const [index, change] of changes.entries()) {
    let { fromA, toA, fromB, toB } = change;
    const last = slid.at(-1);
    // The one before has come down to this one.
    if (last?.toA === fromA && last.toB === fromB) ({ fromA, fromB } = slid.pop() ?? change);
    const next = changes[index + 1];
    while (fromA < toA || fromB < toB) {
      const length = lengthOfEqualLine(before, fromA, after, fromB);
      const isReplaced = fromA < toA && fromB < toB;
      if (length === 0 || (!isReplaced && toA === next?.fromA && toB === next.fromB)) break;
      [fromA, fromB] = [fromA + length, fromB + length];
      if (!isReplaced) [toA, toB] = [toA + length, toB + length];
    }
    if (fromA < toA || fromB < toB) slid.push(new Change(fromA, toA, fromB, toB));
  }
  return slid;
}

/** Of the line that begins there in both texts, with its line feed; 0 when they differ. */
function lengthOfEqualLine(before: string, fromA: number, after: string, fromB: number): number {
  const [feedA, feedB] = [before.indexOf("\n", fromA), after.indexOf("\n", fromB)];
  const length = feedA - fromA + 1;
  const isEqual =
    feedA >= 0 && feedB - fromB + 1 === length && after.startsWith(before.slice(fromA, feedA), fromB);
  return isEqual ? length : 0;
}

/** Compares a changed block of lines character by character. */
export function compareWithin(block: Change, before: string, after: string): readonly Change[] {
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

/**
 * A text with those lines as in another one that differ from it in blanks alone, as `git diff -w` pairs them. It has as
 * many lines as before.
 */
export function adoptBlanks(before: string, after: string): string {
  const known = new Map<string, number>();
  const [a, b] = [numberLines(before, known, withoutBlanks), numberLines(after, known, withoutBlanks)];
  const lines: string[] = [];
  let [lineA, lineB] = [0, 0];
  const end = { fromA: a.numbers.length, toA: a.numbers.length, toB: b.numbers.length };
  for (const { fromA, toA, toB } of [...diffNumbers(a.numbers, b.numbers), end]) {
    for (; lineA < fromA; lineA += 1, lineB += 1) {
      const [own, other] = [lineOf(before, a, lineA), lineOf(after, b, lineB)];
      lines.push(other.replace(/\n$/, ""), own.endsWith("\n") ? "\n" : "");
    }
    lines.push(before.slice(a.offset(fromA), a.offset(toA)));
    [lineA, lineB] = [toA, toB];
  }
  return lines.join("");
}

const lineOf = (text: string, { offset }: ReturnType<typeof numberLines>, line: number) =>
  text.slice(offset(line), offset(line + 1));

const withoutBlanks = (line: string) => line.replaceAll(/[ \t\r\n]+/g, "");

/** A text whose every line is one number; lines of both texts with equal keys are equal numbers. */
function numberLines(text: string, known: Map<string, number>, toKey = (line: string) => line) {
  const starts: number[] = [];
  const numbers: number[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = text.indexOf("\n", start) + 1 || text.length;
    const key = toKey(text.slice(start, end));
    const number = known.get(key) ?? known.size;
    known.set(key, number);
    starts.push(start);
    numbers.push(number);
  }
  /** Where a line begins in the text; the text's length for the line after the last. */
  const offset = (line: number) => starts[line] ?? text.length;
  return { numbers, offset };
}

/** Lines of the one text that stand where lines of the other stood. */
type LineRange = Pick<Change, "fromA" | "toA" | "fromB" | "toB">;

/**
 * Compares two texts whose lines are numbers, each as a character. The difference is always correct, and the smallest
 * one if it can be found quickly.
 */
function diffNumbers(a: readonly number[], b: readonly number[]): readonly LineRange[] {
  // Lines that only one text has are changes anyway, so the search skips them.
  const [linesA, linesB] = [linesIn(a, new Set(b)), linesIn(b, new Set(a))];
  const ranges: LineRange[] = [];
  let [fromA, fromB] = [0, 0];
  const end = (toA: number, toB: number) => {
    if (toA > fromA || toB > fromB) ranges.push({ fromA, toA, fromB, toB });
    [fromA, fromB] = [toA + 1, toB + 1];
  };
  let [indexA, indexB] = [0, 0];
  const toEqual = (endA: number) => {
    for (; indexA < endA; indexA += 1, indexB += 1) {
      const [lineA = 0, lineB = 0] = [linesA[indexA], linesB[indexB]];
      // A character may stand for several lines.
      if (a[lineA] === b[lineB]) end(lineA, lineB);
    }
  };
  for (const change of diff(toCharacters(a, linesA), toCharacters(b, linesB), lineSearch)) {
    toEqual(change.fromA);
    [indexA, indexB] = [change.toA, change.toB];
  }
  toEqual(linesA.length);
  end(a.length, b.length);
  return ranges;
}

function linesIn(numbers: readonly number[], wanted: ReadonlySet<number>): readonly number[] {
  return numbers.flatMap((number, line) => (wanted.has(number) ? [line] : []));
}

/** The comparison splits no pair of surrogates: these name no line. */
const characters = 0xd800;

function toCharacters(numbers: readonly number[], lines: readonly number[]): string {
  return lines.map((line) => String.fromCharCode((numbers[line] ?? 0) % characters)).join("");
}
