import type { Range, TextEdit } from "vscode-languageserver";
import type { Hunk } from "../../../core/hunks.ts";

/** Where the hunk stands in the draft, in LSP's terms: all of its lines, or the place where lines are missing. */
export function rangeOf({ line, added }: Hunk): Range {
  const last = added.at(-1);
  if (last === undefined) return { start: { line, character: 0 }, end: { line, character: 0 } };
  const end = line + added.length - 1;
  return { start: { line, character: 0 }, end: { line: end, character: withoutEnd(last).length } };
}

/** Whether a place in the draft belongs to the hunk; where lines are missing, the lines around are the place. */
export function touches({ line, added }: Hunk, { start, end }: Range): boolean {
  // Kate's line without a selection ends where the next one begins.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  if (added.length === 0) return start.line <= line && last >= line - 1;
  return start.line < line + added.length && last >= line;
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

export const withoutEnd = (line: string): string => line.replace(/\r\n$|[\r\n]$/, "");
