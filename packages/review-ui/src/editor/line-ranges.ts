/** Lines of the one text that stand where lines of the other stood. */
export interface LineRange {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/**
 * Compares two texts whose lines are numbers; equal numbers are equal lines. The difference is always correct, and the
 * smallest one if it can be found quickly.
 */
export function diffNumbers(a: Int32Array, b: Int32Array): readonly LineRange[] {
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
