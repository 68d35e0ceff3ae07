import path from "node:path";
import { parseWords } from "./words.ts";

/** Where somebody looks at in a Kakoune session, as editors/kakoune/ide-companion.kak tells it. */
export interface Look {
  /** Of the session, which may be renamed. */
  readonly session: string;
  readonly client: string;
  /** Absolute path of the buffer's file; the buffer's name when it has none. */
  readonly buffer: string;
  /** Grows with each change of the buffer. */
  readonly timestamp: string;
  /** 1-based line and character; a character is a UTF-16 code unit. */
  readonly cursor: { readonly line: number; readonly character: number };
  /** Of the main selection; empty where it is a cursor alone, which Kakoune has everywhere. */
  readonly selectedText: string;
  /** Absolute paths of all the files that are open. */
  readonly files: readonly string[];
}

/** @returns undefined when it is not all there, as while it is being written */
export function parseLook(text: string): Look | undefined {
  const words = parseWords(text);
  if (words?.at(-1) !== "end") return undefined;
  const [session, client, buffer, timestamp, line, toCursor, selection, ...files] = words.slice(0, -1);
  if (!session || !client || !buffer || !timestamp || !toCursor || !selection) return undefined;
  return {
    session,
    client,
    buffer,
    timestamp,
    cursor: { line: Number(line), character: columnOf(toCursor) },
    selectedText: isOneCharacter(selection) ? "" : selection,
    files: files.filter((file) => path.isAbsolute(file)),
  };
}

/** @param toCursor the line's text up to the character under the cursor, that one included */
function columnOf(toCursor: string): number {
  const under = toCursor.codePointAt(toCursor.length - 2) ?? 0;
  return toCursor.length - (under > 0xffff ? 1 : 0);
}

function isOneCharacter(text: string): boolean {
  return text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length;
}
