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

/** Each with its own line ending, so that a changed ending is a changed line. */
async function linesOf(text: string, yielder: Yielder): Promise<string[]> {
  const lines: string[] = [];
  for (const [line] of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g)) {
    lines.push(line);
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  return lines;
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
  const positions = await positionsOf(old, yielder);
  const row = { words: new Uint32Array(Math.ceil(old.length / 32)).fill(0xffffffff), reach: -1 };
  let work = 0;
  for (const line of fresh) {
    const position = positions.get(line);
    if (position) work += advance(row, position);
    if (work > maxWork) return undefined;
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  let length = 0;
  for (const word of row.words) length += zeroBits(word);
  return length;
}

/** Where a line occurs: the words that hold it, ascending, and its bits in each. */
interface LinePositions {
  readonly words: number[];
  readonly bits: number[];
}

async function positionsOf(lines: readonly string[], yielder: Yielder): Promise<Map<string, LinePositions>> {
  const positions = new Map<string, LinePositions>();
  for (const [index, line] of lines.entries()) {
    const position = positions.get(line) ?? { words: [], bits: [] };
    if (position.words.length === 0) positions.set(line, position);
    const word = index >>> 5;
    const last = position.words.length - 1;
    const bit = 1 << (index & 31);
    if (position.words[last] === word) position.bits[last] = (position.bits[last] ?? 0) | bit;
    else {
      position.words.push(word);
      position.bits.push(bit);
    }
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  return positions;
}

interface Row {
  readonly words: Uint32Array;
  /** The last word with a zero bit: in the ones beyond it a carry changes nothing. */
  reach: number;
}

/** `row = (row + (row & bits)) | (row & ~bits)` over the whole row. @returns the words touched. */
function advance(row: Row, { words, bits }: LinePositions): number {
  let carry = 0;
  let touched = 0;
  let next = 0;
  let at = words[0];
  while (at !== undefined) {
    const isHolder = words[next] === at;
    const mask = isHolder ? (bits[next] ?? 0) : 0;
    if (isHolder) next += 1;
    const value = row.words[at] ?? 0;
    const sum = value + ((value & mask) >>> 0) + carry;
    const word = (sum | (value & ~mask)) >>> 0;
    row.words[at] = word;
    if (word !== 0xffffffff && at > row.reach) row.reach = at;
    carry = sum > 0xffffffff ? 1 : 0;
    touched += 1;
    if (!carry) at = words[next];
    else at = at < row.reach ? at + 1 : undefined;
  }
  return touched;
}

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
