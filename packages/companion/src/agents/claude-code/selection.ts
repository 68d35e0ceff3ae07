import { pathToFileURL } from "node:url";
import type { Context, ContextFile } from "../../core/context.ts";
import type { Position, Range } from "../../core/editor.ts";
import type { Mention } from "../../core/sessions.ts";

/** Line and character from 0; a character is a UTF-16 code unit. */
interface WirePosition {
  readonly line: number;
  readonly character: number;
}

/** The parameters of `selection_changed`. Without a file, and with an empty text, it clears what was sent before. */
export interface SelectionChanged {
  readonly text: string;
  readonly filePath?: string;
  readonly fileUrl?: string;
  readonly selection: { readonly start: WirePosition; readonly end: WirePosition; readonly isEmpty: boolean };
}

/** The parameters of `at_mentioned`; lines from 0. */
export interface AtMentioned {
  readonly filePath: string;
  readonly lineStart?: number;
  readonly lineEnd?: number;
}

export function toSelection({ files }: Context): SelectionChanged {
  const active = files.find(({ isActive }) => isActive);
  const text = active?.selectedText ?? "";
  const { start, end } = rangeOf(active, text);
  return {
    text,
    ...(active && { filePath: active.path, fileUrl: pathToFileURL(active.path).href }),
    selection: { start: toWire(start), end: toWire(end), isEmpty: text === "" },
  };
}

export function toMention({ path, range }: Mention): AtMentioned {
  if (!range) return { filePath: path };
  const { start, end } = range;
  // A range of whole lines ends before the first character of the next.
  const isWholeLines = end.character === 1 && end.line > start.line;
  return { filePath: path, lineStart: start.line - 1, lineEnd: end.line - (isWholeLines ? 2 : 1) };
}

const origin: Position = { line: 1, character: 1 };

const toWire = ({ line, character }: Position): WirePosition => ({
  line: line - 1,
  character: character - 1,
});

/** As the editor says; otherwise the best guess by the cursor, which is at one end of the selection. */
function rangeOf(file: ContextFile | undefined, text: string): Range {
  const { selection, cursor = origin } = file ?? {};
  if (text === "") return { start: cursor, end: cursor };
  if (selection) return selection;
  const lines = text.split(/\r\n|\r|\n/);
  const below = lines.length - 1;
  const last = lines.at(-1)?.length ?? 0;
  if (below === 0) {
    const before = cursor.character - last;
    return before >= 1
      ? { start: { ...cursor, character: before }, end: cursor }
      : { start: cursor, end: { ...cursor, character: cursor.character + last } };
  }
  const isAtEnd = cursor.line > below && cursor.character - 1 === last;
  return isAtEnd
    ? { start: { line: cursor.line - below, character: 1 }, end: cursor }
    : { start: cursor, end: { line: cursor.line + below, character: last + 1 } };
}
