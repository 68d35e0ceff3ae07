import { createYielder, type Yielder } from "../../system/yielder.ts";

/** Lines added and removed between two texts. */
export interface LineChanges {
  readonly added: number;
  readonly removed: number;
}

/** Machine words after which an exact count is given up: some 100 ms. */
const maxWork = 50_000_000;

/**
 * Counts the lines that the smallest possible diff adds and removes. Texts that have very little in common over
 * hundreds of thousands of lines are estimated: lines that occur in both count as kept, wherever they are.
 */
export async function countLineChanges(before: string, after: string): Promise<LineChanges> {
  const yielder = createYielder();
  const [oldPart, freshPart] = changedParts(before, after);
  if (oldPart === "" || freshPart === "") {
    return { added: await countLines(freshPart, yielder), removed: await countLines(oldPart, yielder) };
  }
  const old = await linesOf(oldPart, yielder);
  const fresh = await linesOf(freshPart, yielder);
  const kept = (await longestCommonLines(old, fresh, yielder)) ?? linesInBoth(old, fresh);
  return { added: fresh.length - kept, removed: old.length - kept };
}

/** What lies between the lines that both texts begin with and those that both end with. */
function changedParts(before: string, after: string): [string, string] {
  const start = before.slice(0, commonStart(before, after)).lastIndexOf("\n") + 1;
  const tail = commonEnd(before, after, Math.min(before.length, after.length) - start);
  const newline = before.indexOf("\n", before.length - tail);
  const end = newline < 0 ? 0 : before.length - newline - 1;
  return [before.slice(start, before.length - end), after.slice(start, after.length - end)];
}

const chunk = 4096;

/** How many units two texts begin with in common; whole chunks are compared first, which is many times faster. */
function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at + chunk <= most && one.slice(at, at + chunk) === other.slice(at, at + chunk)) at += chunk;
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at;
}

/** The same from the ends, of `most` units at most. */
function commonEnd(one: string, other: string, most: number): number {
  const tail = (text: string, from: number, to: number) => text.slice(text.length - from, text.length - to);
  let at = 0;
  while (at + chunk <= most && tail(one, at + chunk, at) === tail(other, at + chunk, at)) at += chunk;
  while (at < most && one.charCodeAt(one.length - 1 - at) === other.charCodeAt(other.length - 1 - at))
    at += 1;
  return at;
}

async function countLines(text: string, yielder: Yielder): Promise<number> {
  let count = 0;
  for (const _ of lineEnds(text)) {
    count += 1;
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  return count;
}

/** Each with its own line ending, so that a changed ending is a changed line. */
async function linesOf(text: string, yielder: Yielder): Promise<string[]> {
  const lines: string[] = [];
  let start = 0;
  for (const end of lineEnds(text)) {
    lines.push(text.slice(start, end));
    start = end;
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  return lines;
}

/** Where each line ends, its line ending included. */
function* lineEnds(text: string): Generator<number> {
  // Looking for one character is many times faster; a line that ends with both ends with this one.
  const ending = /\r(?!\n)/.test(text) ? /\r\n?|\n/g : undefined;
  for (let at = 0; at < text.length; ) {
    if (ending) {
      ending.lastIndex = at;
      at = ending.test(text) ? ending.lastIndex : text.length;
    } else {
      at = text.indexOf("\n", at) + 1 || text.length;
    }
    yield at;
  }
}

/**
 * Length of the longest common subsequence by Hyyrö's bit-parallel recurrence, 32 old lines in a word:
 * a bit of `row` is 0 where the length grows. Only words that hold the line at hand, or a carry, are touched.
 * @returns undefined when it would take too long.
 */
async function longestCommonLines(
  old: readonly string[],
  fresh: readonly string[],
  yielder: Yielder,
): Promise<number | undefined> {
  const index = await indexLines(old, yielder);
  const row = { words: new Uint32Array(Math.ceil(old.length / 32)).fill(0xffffffff), reach: -1 };
  let work = 0;
  for (const line of fresh) {
    const number = index.numbers.get(line);
    if (number !== undefined) work += advance(row, index, number);
    if (work > maxWork) return undefined;
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  let length = 0;
  for (const word of row.words) length += zeroBits(word);
  return length;
}

/** Where each line occurs. */
interface LineIndex {
  /** Equal lines have one number. */
  readonly numbers: ReadonlyMap<string, number>;
  /** All positions, ordered by the number of their line, then ascending. */
  readonly positions: Int32Array;
  /** Where the positions of a number begin; those of the next one follow. */
  readonly starts: Int32Array;
}

async function indexLines(lines: readonly string[], yielder: Yielder): Promise<LineIndex> {
  const numbers = new Map<string, number>();
  const numberAt = new Int32Array(lines.length);
  const starts = new Int32Array(lines.length + 2);
  for (const [position, line] of lines.entries()) {
    let number = numbers.get(line);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(line, number);
    }
    numberAt[position] = number;
    starts[number + 2] = (starts[number + 2] ?? 0) + 1;
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  for (let at = 2; at < starts.length; at += 1) starts[at] = (starts[at] ?? 0) + (starts[at - 1] ?? 0);
  const positions = new Int32Array(lines.length);
  for (let position = 0; position < lines.length; position += 1) {
    const next = (numberAt[position] ?? 0) + 1;
    const at = starts[next] ?? 0;
    positions[at] = position;
    starts[next] = at + 1;
  }
  return { numbers, positions, starts };
}

interface Row {
  readonly words: Uint32Array;
  /** The last word with a zero bit: in the ones beyond it a carry changes nothing. */
  reach: number;
}

/** `row = (row + (row & bits)) | (row & ~bits)` over the whole row, for the bits of a line. @returns the words touched. */
function advance(row: Row, { positions, starts }: LineIndex, number: number): number {
  let next = starts[number] ?? 0;
  const end = starts[number + 1] ?? 0;
  let carry = 0;
  let touched = 0;
  let at = wordAt(positions, next, end);
  while (at >= 0) {
    let mask = 0;
    for (; wordAt(positions, next, end) === at; next += 1) mask |= 1 << ((positions[next] ?? 0) & 31);
    const value = row.words[at] ?? 0;
    const sum = value + ((value & mask) >>> 0) + carry;
    const word = (sum | (value & ~mask)) >>> 0;
    row.words[at] = word;
    if (word !== 0xffffffff && at > row.reach) row.reach = at;
    carry = sum > 0xffffffff ? 1 : 0;
    touched += 1;
    if (!carry) at = wordAt(positions, next, end);
    else at = at < row.reach ? at + 1 : -1;
  }
  return touched;
}

/** @returns -1 behind the last position */
const wordAt = (positions: Int32Array, index: number, end: number) =>
  index < end ? (positions[index] ?? 0) >>> 5 : -1;

function zeroBits(word: number): number {
  let count = 0;
  for (let rest = ~word; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

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
