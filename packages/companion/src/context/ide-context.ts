import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { IdeContext, OpenFile } from "../contract/context.ts";
import { contextLimits } from "../contract/limits.ts";
import type { EditorContext, EditorFile } from "../editor.ts";

export interface IdeContextOptions {
  /** The editor's notion of trust; left out when it has none. */
  readonly trusted?: boolean | undefined;
  /** Whether a path is a file on disk. */
  readonly exists?: (path: string) => boolean;
}

/**
 * What the CLIs are told of an editor's state: real files only, newest focus first, within the limits.
 * @see docs/contract.md#3-context
 */
export function toIdeContext(
  context: EditorContext,
  { trusted, exists = isFile }: IdeContextOptions = {},
): IdeContext {
  const openFiles = newestFirst(context)
    .filter((file) => isAbsolute(file.path) && exists(file.path))
    .slice(0, contextLimits.files)
    .map((file) => toOpenFile(file, file.path === context.activePath));
  return { workspaceState: { openFiles, ...(trusted === undefined ? {} : { isTrusted: trusted }) } };
}

/** One entry a path; the active file first, whatever its time: the CLIs trust the order of times alone. */
function newestFirst({ files, activePath }: EditorContext): EditorFile[] {
  const byPath = new Map<string, EditorFile>();
  for (const file of files) {
    const known = byPath.get(file.path);
    if (!known || file.focusedAt >= known.focusedAt) byPath.set(file.path, file);
  }
  const active = activePath === undefined ? undefined : byPath.get(activePath);
  if (active) {
    const newest = Math.max(...[...byPath.values()].map((file) => file.focusedAt));
    byPath.delete(active.path);
    return [{ ...active, focusedAt: newest }, ...sorted(byPath.values())];
  }
  return sorted(byPath.values());
}

function sorted(files: Iterable<EditorFile>): EditorFile[] {
  return [...files].sort((a, b) => b.focusedAt - a.focusedAt);
}

function toOpenFile(file: EditorFile, isActive: boolean): OpenFile {
  const { path, focusedAt: timestamp } = file;
  if (!isActive) return { path, timestamp };
  return {
    path,
    timestamp,
    isActive,
    ...(file.cursor ? { cursor: { line: file.cursor.line, character: file.cursor.character } } : {}),
    ...(file.selectedText ? { selectedText: cutText(file.selectedText, contextLimits.selectedText) } : {}),
  };
}

/** The first `limit` UTF-16 units of a text, never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed();
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit).toWellFormed();
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
