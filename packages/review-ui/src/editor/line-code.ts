/** A text whose every line is one code unit; equal lines of both texts are equal units. */
export interface LineCode {
  readonly code: string;
  /** Where a line begins in the text; the text's length for the line after the last. */
  offset(line: number): number;
}

/** Units for lines that only one of the texts has: they match nothing. */
const onlyInA = 1;
const onlyInB = 2;
const firstShared = 3;

/** Surrogates are left out: a comparison treats them as pairs. */
const surrogates = { first: 0xd800, count: 0x800 };
const maxShared = 0x10000 - surrogates.count - firstShared;

/** Writes two texts as strings with one code unit a line, to be compared as such. */
export function encodeLines(before: string, after: string): { readonly a: LineCode; readonly b: LineCode } {
  const [a, b] = [splitLines(before), splitLines(after)];
  const inB = new Set(b);
  const units = new Map<string, number>();
  for (const line of a) {
    // Lines beyond what 16 bits can tell apart count as changed: the result is coarser, never wrong.
    if (units.size < maxShared && inB.has(line) && !units.has(line)) units.set(line, unitOf(units.size));
  }
  return { a: toCode(a, units, onlyInA, before.length), b: toCode(b, units, onlyInB, after.length) };
}

function unitOf(index: number): number {
  const unit = firstShared + index;
  return unit < surrogates.first ? unit : unit + surrogates.count;
}

function toCode(
  lines: readonly string[],
  units: ReadonlyMap<string, number>,
  other: number,
  end: number,
): LineCode {
  const starts = new Array<number>(lines.length);
  const parts: string[] = [];
  let start = 0;
  for (const [index, line] of lines.entries()) {
    starts[index] = start;
    start += line.length;
    parts.push(String.fromCharCode(units.get(line) ?? other));
  }
  return { code: parts.join(""), offset: (line) => starts[line] ?? end };
}

/** Each with its line feed. */
function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}
