import { diffArrays } from "diff";
import type { Range, TextEdit } from "vscode-languageserver";

/** Milliseconds after which texts count as different from the first changed line to the last. */
const patience = 300;

/** One change of a proposal: lines of the draft in place of lines of the original. */
export interface Hunk {
  /** First line in the draft, 0-based. */
  readonly line: number;
  /** The draft's lines, each with its own end. */
  readonly added: readonly string[];
  /** The original's lines, each with its own end. */
  readonly removed: readonly string[];
}

/**
 * @param returnsEndLines whether a carriage return alone ends a line, as LSP has it
 * @returns in the draft's order; none when the texts are the same.
 */
export function findHunks(original: string, draft: string, returnsEndLines = true): readonly Hunk[] {
  const [before, after] = [linesOf(original, returnsEndLines), linesOf(draft, returnsEndLines)];
  const parts = diffArrays(before, after, { timeout: patience });
  if (parts === undefined) return [wholeChange(before, after)];
  const changes: Change[] = [];
  let [line, at] = [0, 0];
  let open: Change | undefined;
  for (const { added, removed, value } of parts) {
    if (!open && (added || removed)) {
      open = { line, at, added: 0, removed: 0 };
      changes.push(open);
    }
    if (!added && !removed) open = undefined;
    else if (open) open[added ? "added" : "removed"] += value.length;
    if (!removed) line += value.length;
    if (!added) at += value.length;
  }
  slide(changes, before, after);
  return changes.map(({ line, at, added, removed }) => ({
    line,
    added: after.slice(line, line + added),
    removed: before.slice(at, at + removed),
  }));
}

/** Lines of the draft, from `line` on, in place of lines of the original, from `at` on: how many of each. */
interface Change {
  line: number;
  at: number;
  added: number;
  removed: number;
}

/** Lines that a change is moved at most. */
const maxShift = 100;

/**
 * Moves what is only inserted or only removed to where VS Code's diff shows it: of all places that make the same text,
 * to the first of those with the least indented lines around.
 */
function slide(changes: readonly Change[], before: readonly string[], after: readonly string[]): void {
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

/** Where the hunk stands in the draft, in LSP's terms: all of its lines, or the place where lines are missing. */
export function rangeOf({ line, added }: Hunk): Range {
  const last = added.at(-1);
  if (last === undefined) return { start: { line, character: 0 }, end: { line, character: 0 } };
  const end = line + added.length - 1;
  return { start: { line, character: 0 }, end: { line: end, character: withoutEnd(last).length } };
}

/** Whether a place in the draft belongs to the hunk; where lines are missing, the lines around are the place. */
export function touches({ line, added }: Hunk, { start, end }: Range): boolean {
  if (added.length === 0) return start.line <= line && end.line >= line - 1;
  return start.line < line + added.length && end.line >= line;
}

/** The edit of the draft that makes it the original again in this place. */
export function revert({ line, added, removed }: Hunk): TextEdit {
  const last = added.at(-1);
  const isLastLine = last !== undefined && withoutEnd(last) === last;
  const end = isLastLine
    ? { line: line + added.length - 1, character: last.length }
    : { line: line + added.length, character: 0 };
  return { range: { start: { line, character: 0 }, end }, newText: removed.join("") };
}

/** Each with its end. */
function linesOf(text: string, returnsEndLines: boolean): string[] {
  const line = returnsEndLines ? /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g : /[^\n]*\n|[^\n]+/g;
  return text.match(line) ?? [];
}

export const withoutEnd = (line: string): string => line.replace(/\r\n$|[\r\n]$/, "");

function wholeChange(before: readonly string[], after: readonly string[]): Hunk {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < most - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    line: start,
    added: after.slice(start, after.length - tail),
    removed: before.slice(start, before.length - tail),
  };
}
