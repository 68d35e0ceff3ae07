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
  const hunks: { line: number; added: string[]; removed: string[] }[] = [];
  let line = 0;
  let open: (typeof hunks)[number] | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      open = undefined;
      line += value.length;
      continue;
    }
    if (!open) {
      open = { line, added: [], removed: [] };
      hunks.push(open);
    }
    for (const text of value) (added ? open.added : open.removed).push(text);
    if (added) line += value.length;
  }
  return hunks;
}

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
