import { Change, presentableDiff } from "@codemirror/merge";

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

/**
 * Moves changes of whole lines down while their first lines are equal, as `git diff` does: a line that is inserted
 * before an equal one is inserted after it. The editor takes a change that begins with an empty line in both texts to
 * begin behind it.
 */
function slideDown(changes: readonly Change[], before: string, after: string): readonly Change[] {
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

/** Lines of the one text that stand where lines of the other stood. */
interface LineRange {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/**
 * Compares two texts whose lines are numbers; equal numbers are equal lines. The difference is always correct, and the
 * smallest one if it can be found quickly.
 */
function diffNumbers(a: Int32Array, b: Int32Array): readonly LineRange[] {
  // Lines that only one text has are changes anyway, so the search skips them.
  const [linesA, linesB] = [linesOf(a, new Set(b)), linesOf(b, new Set(a))];
  const matches = match(
    linesA.map((line) => a[line] ?? -1),
    linesB.map((line) => b[line] ?? -1),
  );
  const ranges: LineRange[] = [];
  let [fromA, fromB] = [0, 0];
  const end = (toA: number, toB: number) => {
    if (toA > fromA || toB > fromB) ranges.push({ fromA, toA, fromB, toB });
    [fromA, fromB] = [toA + 1, toB + 1];
  };
  for (const [indexA, indexB] of matches.entries()) {
    if (indexB >= 0) end(linesA[indexA] ?? 0, linesB[indexB] ?? 0);
  }
  end(a.length, b.length);
  return ranges;
}

function linesOf(numbers: Int32Array, wanted: ReadonlySet<number>): Int32Array {
  const lines = new Int32Array(numbers.length);
  let count = 0;
  for (const [line, number] of numbers.entries()) {
    if (wanted.has(number)) lines[count++] = line;
  }
  return lines.subarray(0, count);
}

/** After this many edits, a search for the smallest difference stops with the best result so far. */
const maxEdits = 600;

/** A part of both texts that is still to be compared; ends are exclusive. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * @see Eugene W. Myers, An O(ND) Difference Algorithm and Its Variations, the variation in linear space
 * @returns for each line of `a` its line of `b`, or -1
 */
function match(a: Int32Array, b: Int32Array): Int32Array {
  const matches = new Int32Array(a.length).fill(-1);
  const find = createMiddleFinder(a, b);
  const work: Box[] = [{ left: 0, right: a.length, top: 0, bottom: b.length }];
  for (let box = work.pop(); box; box = work.pop()) {
    let { left, right, top, bottom } = box;
    while (left < right && top < bottom && a[left] === b[top]) matches[left++] = top++;
    while (left < right && top < bottom && a[right - 1] === b[bottom - 1]) matches[--right] = --bottom;
    if (left === right || top === bottom) continue;
    const [x, y] = find({ left, right, top, bottom });
    work.push({ left, right: x, top, bottom: y }, { left: x, right, top: y, bottom });
  }
  return matches;
}

type Point = readonly [x: number, y: number];

/** Finds a point that the way of fewest edits leads through, from both ends at once. */
function createMiddleFinder(a: Int32Array, b: Int32Array): (box: Box) => Point {
  // Diagonals are x - y, from -b.length to a.length, with one more at each end.
  const origin = b.length + 1;
  const forward = new Int32Array(a.length + b.length + 3);
  const backward = new Int32Array(a.length + b.length + 3);
  const none = 0x7fffffff;

  return (box) => {
    const { left, right, top, bottom } = box;
    const [low, high] = [left - bottom, right - top];
    const [start, end] = [left - top, right - bottom];
    let [fromLow, fromHigh, toLow, toHigh] = [start, start, end, end];
    const isOdd = ((start - end) & 1) !== 0;
    forward[origin + start] = left;
    backward[origin + end] = right;
    for (let edits = 1; ; edits += 1) {
      if (fromLow > low) forward[origin + --fromLow - 1] = -1;
      else fromLow += 1;
      if (fromHigh < high) forward[origin + ++fromHigh + 1] = -1;
      else fromHigh -= 1;
      for (let diagonal = fromHigh; diagonal >= fromLow; diagonal -= 2) {
        const [down, across] = [forward[origin + diagonal + 1] ?? -1, forward[origin + diagonal - 1] ?? -1];
        let x = across < down ? down : across + 1;
        while (x < right && x - diagonal < bottom && a[x] === b[x - diagonal]) x += 1;
        forward[origin + diagonal] = x;
        const hasMet = isOdd && toLow <= diagonal && diagonal <= toHigh;
        if (hasMet && (backward[origin + diagonal] ?? none) <= x) return [x, x - diagonal];
      }
      if (toLow > low) backward[origin + --toLow - 1] = none;
      else toLow += 1;
      if (toHigh < high) backward[origin + ++toHigh + 1] = none;
      else toHigh -= 1;
      for (let diagonal = toHigh; diagonal >= toLow; diagonal -= 2) {
        const [up, back] = [backward[origin + diagonal - 1] ?? none, backward[origin + diagonal + 1] ?? none];
        let x = up < back ? up : back - 1;
        while (x > left && x - diagonal > top && a[x - 1] === b[x - diagonal - 1]) x -= 1;
        backward[origin + diagonal] = x;
        const hasMet = !isOdd && fromLow <= diagonal && diagonal <= fromHigh;
        if (hasMet && x <= (forward[origin + diagonal] ?? -1)) return [x, x - diagonal];
      }
      if (edits < maxEdits) continue;
      return furthest(forward.subarray(origin + fromLow, origin + fromHigh + 1), fromLow, box);
    }
  };
}

/** The point nearest to the end that so many edits lead to. */
function furthest(reached: Int32Array, lowest: number, { right, bottom }: Box): Point {
  let best: Point = [-1, -1];
  for (let index = reached.length - 1; index >= 0; index -= 2) {
    const diagonal = lowest + index;
    const x = Math.min(reached[index] ?? -1, right, bottom + diagonal);
    if (x + x - diagonal > best[0] + best[1]) best = [x, x - diagonal];
  }
  return best;
}
