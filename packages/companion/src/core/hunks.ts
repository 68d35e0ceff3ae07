import { isCrlf, toComparable, withoutMark } from "../files/comparable-text.ts";
import type { FileText } from "../files/file-text.ts";
import { diffLines, type LineChange, linesOf } from "../files/line-diff.ts";

/** One change of a proposal: lines of the draft in place of lines of the original. */
export interface Hunk {
  /** First line in the draft, 0-based. */
  readonly line: number;
  /** The draft's lines, each with its own end. */
  readonly added: readonly string[];
  /** The original's lines, each with its own end. */
  readonly removed: readonly string[];
}

/** The same by numbers: lines count from 1, and where there are none, `line` and `from` are where they would begin. */
export interface HunkPlace {
  /** The first line in the draft, and how many there are. */
  readonly line: number;
  readonly added: number;
  /** The first line in the original, and how many there were. */
  readonly from: number;
  readonly removed: number;
}

/** The same places, as those of changes that lead back from the draft to the original. */
export const placesBack = (places: readonly HunkPlace[]): HunkPlace[] =>
  places.map(({ line, added, from, removed }) => ({
    line: from,
    added: removed,
    from: line,
    removed: added,
  }));

/** Where lines differ as editors show them. The loss of the last line end is a change. */
export function placeHunks(original: string, draft: string): HunkPlace[] {
  const [before, after] = [linesAsShown(original), linesAsShown(draft)];
  return changesOf(before, after).map(({ line, at, added, removed }) => ({
    ...{ line: line + 1, added },
    ...{ from: at + 1, removed },
  }));
}

/** The file of a proposal, and what its agent proposes: line ends alone are no change. */
interface Compared {
  readonly base: FileText;
  readonly newContent: string;
}

/** Where a text differs from the file of a proposal. What is no text, or not there, has no lines. */
export function hunksOf({ base, newContent }: Compared, text: string): HunkPlace[] {
  return placeHunks(base.kind === "text" ? toComparable(base.text, newContent).text : "", text);
}

/** The next place behind one, or the one before it. @param places in their order */
export function nextOf<Place extends number | string>(
  places: readonly Place[],
  from: Place,
  by: 1 | -1,
): Place | undefined {
  return by > 0 ? places.find((place) => place > from) : places.findLast((place) => place < from);
}

/** As editors show them, which put a byte order mark and the form of line ends into no line. */
export function linesAsShown(text: string): string[] {
  const unmarked = withoutMark(text);
  return linesOf(isCrlf(unmarked) ? unmarked.replaceAll("\r\n", "\n") : unmarked);
}

/**
 * @param returnsEndLines whether a carriage return alone ends a line, as LSP has it
 * @returns in the draft's order; none when the texts are the same.
 */
export function findHunks(original: string, draft: string, returnsEndLines = true): readonly Hunk[] {
  const toLines = returnsEndLines ? linesOfLsp : linesOf;
  const [before, after] = [toLines(original), toLines(draft)];
  return changesOf(before, after).map(({ line, at, added, removed }) => ({
    line,
    added: after.slice(line, line + added),
    removed: before.slice(at, at + removed),
  }));
}

/** Where lines differ, as editors show it. */
export function changesOf(before: readonly string[], after: readonly string[]): readonly LineChange[] {
  const changes = diffLines(before, after).map((change) => ({ ...change }));
  slide(changes, before, after);
  return changes;
}

/** Lines that a change is moved at most. */
const maxShift = 100;

/**
 * Moves what is only inserted or only removed to where VS Code's diff shows it: of all places that make the same text,
 * to the first of those with the least indented lines around.
 */
function slide(
  changes: readonly { -readonly [Key in keyof LineChange]: LineChange[Key] }[],
  before: readonly string[],
  after: readonly string[],
): void {
  for (const [index, change] of changes.entries()) {
    const { line, at, added, removed } = change;
    if (added > 0 && removed > 0) continue;
    const [block, start, rest, gap] = added > 0 ? [after, line, before, at] : [before, at, after, line];
    const end = start + added + removed;
    // A line stays between two changes.
    const [previous, next] = [changes[index - 1], changes[index + 1]];
    const above = previous ? line - previous.line - previous.added - 1 : line;
    const below = next ? next.line - line - added - 1 : after.length - line - added;
    let [first, last] = [0, 0];
    while (-first < Math.min(above, maxShift) && block[start + first - 1] === block[end + first - 1])
      first -= 1;
    while (last < Math.min(below, maxShift) && block[start + last] === block[end + last]) last += 1;
    let best = { shift: 0, indent: Number.POSITIVE_INFINITY };
    for (let shift = first; shift <= last; shift += 1) {
      const indent =
        indentAround(rest, gap + shift) +
        indentAround(block, start + shift) +
        indentAround(block, end + shift);
      if (indent < best.indent) best = { shift, indent };
    }
    change.line += best.shift;
    change.at += best.shift;
  }
}

/** Of the lines before and after a place. */
const indentAround = (lines: readonly string[], at: number): number =>
  indentOf(lines[at - 1]) + indentOf(lines[at]);

const indentOf = (line = ""): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** Lines added and removed, for people: `+3 −1`. */
export function countLines(hunks: readonly Hunk[]): string {
  const added = hunks.reduce((sum, hunk) => sum + hunk.added.length, 0);
  const removed = hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0);
  return `+${added} −${removed}`;
}

/** Each with its end, as LSP counts them. */
const linesOfLsp = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g) ?? [];
