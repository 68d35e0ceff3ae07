import path from "node:path";
import type { Position, Range } from "../../core/editor.ts";
import type { PluginContext, PluginMention } from "../protocol/messages.ts";

export type SessionContext = ReturnType<typeof createSessionContext>;

/**
 * Remembers what Kakoune does not: when each file was looked at, and which one before a scratch buffer.
 * @param isOurs whether a path is that of a proposal
 */
export function createSessionContext(isOurs: (path: string) => boolean, now = Date.now) {
  const focusedAt = new Map<string, number>();
  let active: Look | undefined;
  return {
    /** @returns the whole present state, as agents are to receive it */
    take(look: Look): PluginContext {
      const open = [...new Set(look.files)].filter((file) => !isOurs(file));
      const isFile = open.includes(look.buffer);
      if (isFile) {
        active = look;
        focusedAt.set(look.buffer, now());
      }
      const files = open.map((path) => ({ path, focusedAt: focusedAt.get(path) ?? 0 }));
      if (!active || !open.includes(active.buffer)) return { files };
      const { buffer, cursor, selectedText, selection } = active;
      const position = { cursor, ...(selection && { selectedText, selection }) };
      return {
        files: files.map((file) => (file.path === buffer ? { ...file, ...position } : file)),
        activePath: buffer,
      };
    },
  };
}

/** Where somebody looks at in a Kakoune session, as editors/kakoune/ide-companion.kak tells it. */
export interface Look {
  /** Of the session, which may be renamed. */
  readonly session: string;
  readonly client: string;
  /** Absolute path of the buffer's file; the buffer's name when it has none. */
  readonly buffer: string;
  /** Grows with each change of the buffer. */
  readonly timestamp: string;
  readonly cursor: Position;
  /** Of the main selection, or its beginning; empty where it is a cursor alone, which Kakoune has everywhere. */
  readonly selectedText: string;
  /** Where all of the main selection is; undefined where it is a cursor alone. */
  readonly selection: Range | undefined;
  /** Absolute paths of all the files that are open. */
  readonly files: readonly string[];
}

/** @param words that Kakoune has written; none while it still writes @returns undefined when they are not all there */
export function parseLook(words: readonly string[] = []): Look | undefined {
  const [session, client, buffer, timestamp, line, toCursor, anchorLine, toAnchor, selection, ...files] =
    words;
  if (!session || !client || !buffer || !timestamp || !toCursor || !toAnchor || !selection) return undefined;
  const isCursor = isOneCharacter(selection);
  const corners = [
    { line: Number(line), toCorner: toCursor },
    { line: Number(anchorLine), toCorner: toAnchor },
  ];
  return {
    session,
    client,
    buffer,
    timestamp,
    cursor: { line: Number(line), character: columnOf(toCursor) },
    selectedText: isCursor ? "" : selection,
    selection: isCursor ? undefined : rangeBetween(corners),
    files: files.filter((file) => path.isAbsolute(file)),
  };
}

/**
 * Reads what `:ide-companion-send` has written: the lines of the main selection; all lines of a file are the file.
 * @returns undefined when it is not all there
 */
export function parseMention([file, lineCount, selection = ""]: readonly string[] = []):
  | PluginMention
  | undefined {
  const [, anchor, cursor] = /^(\d+)\.\d+,(\d+)\.\d+$/.exec(selection) ?? [];
  if (file === undefined || anchor === undefined) return undefined;
  const [first, last] = [Math.min(Number(anchor), Number(cursor)), Math.max(Number(anchor), Number(cursor))];
  if (first === 1 && last > first && last === Number(lineCount)) return { path: file };
  return { path: file, lines: { first, last } };
}

/** The first or the last character of a selection. */
interface Corner {
  readonly line: number;
  /** The line's text up to that character, that one included. */
  readonly toCorner: string;
}

function rangeBetween(corners: Corner[]): Range | undefined {
  const [first, last] = corners.sort(
    (one, other) => one.line - other.line || one.toCorner.length - other.toCorner.length,
  );
  if (!first || !last) return undefined;
  const end = last.toCorner.endsWith("\n")
    ? { line: last.line + 1, character: 1 }
    : { line: last.line, character: last.toCorner.length + 1 };
  return { start: { line: first.line, character: columnOf(first.toCorner) }, end };
}

/** @param toCorner the line's text up to a character, that one included */
function columnOf(toCorner: string): number {
  const under = toCorner.codePointAt(toCorner.length - 2) ?? 0;
  return toCorner.length - (under > 0xffff ? 1 : 0);
}

function isOneCharacter(text: string): boolean {
  return text.length === String.fromCodePoint(text.codePointAt(0) ?? 0).length;
}
