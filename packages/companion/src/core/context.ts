import nodePath from "node:path";
import { pathKey } from "../files/file-path.ts";
import { lookAt } from "../files/file-stamp.ts";
import { toRealPath } from "../files/workspace-path.ts";
import type { EditorContext, EditorFile, Position, Range } from "./editor.ts";
import type { Sharing } from "./sharing/sharing.ts";

/** What the agents keep of a context; more would be sent in vain. */
export const contextLimits = {
  /** Open files. */
  files: 10,
  /** UTF-16 code units of selected text. */
  selectedText: 16_384,
} as const;

/** One open file that is on disk. */
export interface ContextFile {
  /** Absolute path. */
  readonly path: string;
  /** When it was last focused, in milliseconds since 1970. */
  readonly focusedAt: number;
  /** Only of the one file that has the focus, as is all that follows. */
  readonly isActive?: true;
  readonly cursor?: Position;
  /** Within the limits. */
  readonly selectedText?: string;
  /** Where the whole selection is, as far as the editor says so. */
  readonly selection?: Range;
}

/** What the user looks at and allows agents to see. */
export interface Context {
  /** Newest focus first, within the limits. */
  readonly files: readonly ContextFile[];
  /** Only from an editor with a notion of trust. */
  readonly isTrusted?: boolean;
}

/** What agents are sent of an editor's state, and what of it is kept from them. */
export interface SharedContext {
  readonly context: Context;
  readonly withheld: Withheld;
}

export interface ContextOptions {
  /** The editor's notion of trust; left out when it has none. */
  readonly trusted?: boolean | undefined;
  /** Whether a path is a file on disk. */
  readonly exists?: (path: string) => boolean;
  readonly platform?: NodeJS.Platform;
  /** What the user allows; all by default. */
  readonly sharing?: Pick<Sharing, "isPaused" | "isExcluded" | "isOutside">;
}

const shareAll = { isPaused: false, isExcluded: () => false, isOutside: () => false };

/**
 * What agents are sent of an editor's state: real files only, newest focus first, within the limits, none that the
 * user keeps from them, and none outside of the open folders without a selection.
 * @see docs/reference/contract.md#3-context
 */
export function toSharedContext(
  context: EditorContext,
  { trusted, exists = isFile, platform = process.platform, sharing = shareAll }: ContextOptions = {},
): SharedContext {
  const system = platform === "win32" ? nodePath.win32 : nodePath.posix;
  // By a link that was opened, or one in a folder, it is the same file.
  const keyOf = (path: string) => pathKey(toRealPath(path), platform);
  const activeKey = context.activePath === undefined ? undefined : keyOf(context.activePath);
  const { isPaused } = sharing;
  const excluded: string[] = [];
  const files: ContextFile[] = [];
  for (const file of newestFirst(context, keyOf)) {
    if (!system.isAbsolute(file.path) || !exists(file.path)) continue;
    const isActive = keyOf(file.path) === activeKey;
    // What the user has selected there is meant for the agents, the rest is no part of the project.
    const isForeign = sharing.isOutside(file.path) && !(isActive && file.selectedText);
    if (sharing.isExcluded(file.path)) excluded.push(file.path);
    else if (!isPaused && !isForeign && files.length < contextLimits.files)
      files.push(toContextFile(file, isActive));
  }
  const shared = { files, ...(trusted === undefined ? {} : { isTrusted: trusted }) };
  return { context: shared, withheld: { isPaused, excluded } };
}

/** One entry a file; the active one first, whatever its time: the CLIs trust the order of times alone. */
function newestFirst({ files, activePath }: EditorContext, keyOf: (path: string) => string): EditorFile[] {
  const byPath = new Map<string, EditorFile>();
  for (const file of files) {
    const key = keyOf(file.path);
    const known = byPath.get(key);
    if (!known || file.focusedAt >= known.focusedAt) byPath.set(key, file);
  }
  const active = activePath === undefined ? undefined : byPath.get(keyOf(activePath));
  if (active) {
    const newest = Math.max(...[...byPath.values()].map((file) => file.focusedAt));
    byPath.delete(keyOf(active.path));
    return [{ ...active, focusedAt: newest }, ...sorted(byPath.values())];
  }
  return sorted(byPath.values());
}

function sorted(files: Iterable<EditorFile>): EditorFile[] {
  return [...files].sort((a, b) => b.focusedAt - a.focusedAt);
}

function toContextFile(file: EditorFile, isActive: boolean): ContextFile {
  const { path, focusedAt, cursor, selection } = file;
  if (!isActive) return { path, focusedAt };
  const selectedText = cutText(file.selectedText ?? "", contextLimits.selectedText);
  return {
    path,
    focusedAt,
    isActive,
    ...(cursor ? { cursor: { line: cursor.line, character: cursor.character } } : {}),
    ...(selectedText && { selectedText, ...(selection && { selection }) }),
  };
}

/** The first `limit` UTF-16 units of a text, without half a surrogate pair at either edge. */
export function cutText(text: string, limit: number): string {
  // Who selects by UTF-16 units may begin and end within a pair.
  const start = isLowSurrogate(text.charCodeAt(0)) ? 1 : 0;
  let end = Math.min(text.length, limit);
  if (end > start && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end).toWellFormed();
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

const isFile = (path: string): boolean => lookAt(path).kind === "file";

/** What agents are not sent, for the user to see. */
export interface Withheld {
  /** Nothing is sent. */
  readonly isPaused: boolean;
  /** Absolute paths of open files that are kept from the agents, newest focus first. */
  readonly excluded: readonly string[];
}
