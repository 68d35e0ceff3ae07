import { pathToFileURL } from "node:url";
import type { Context, ContextFile } from "../core/context.ts";
import type { Position, Range } from "../core/editor.ts";

/** Line and character from 0; a character is a UTF-16 code unit. */
export interface WirePosition {
  readonly line: number;
  readonly character: number;
}

/** The parameters of `selection_changed`, as several agents have it. Without a file, and with an empty text, it clears what was sent before. */
export function toSelection({ files }: Context) {
  const active = files.find(({ isActive }) => isActive);
  const text = active?.selectedText ?? "";
  const { start, end } = rangeOf(active, text);
  return {
    text,
    ...(active && { filePath: active.path, fileUrl: pathToFileURL(active.path).href }),
    selection: { start: toWirePosition(start), end: toWirePosition(end), isEmpty: text === "" },
  };
}

const origin: Position = { line: 1, character: 1 };

/** As several agents count, where an editor counts from 1. */
export const toWirePosition = ({ line, character }: Position): WirePosition => ({
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
