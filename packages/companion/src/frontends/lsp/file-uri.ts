import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { InitializeParams, WorkspaceFoldersChangeEvent } from "vscode-languageserver";
import { foldersUpwards } from "../../system/disk.ts";

/** The absolute path that a `file:` URI names; undefined for every other one: what it shows is on no disk. */
export function toFilePath(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return withoutLastSlash(withCapitalDrive(fileURLToPath(uri)));
  } catch {
    return undefined; // not a path on this system, as with a host or a coded slash
  }
}

/** The URI of a path, as this process writes it. Editors write some characters in other ways: compare paths. */
export function toFileUri(path: string): string {
  return pathToFileURL(path).href;
}

/** Pure. Editors send `c:`; Windows itself, and the agents' own paths, have `C:`. */
function withCapitalDrive(path: string): string {
  return /^[a-z]:/.test(path) ? path.charAt(0).toUpperCase() + path.slice(1) : path;
}

/** A folder may be sent with a slash at its end; that of a whole disk has to keep it. */
function withoutLastSlash(path: string): string {
  return path.length > 1 && /[^:][\\/]$/.test(path) ? path.slice(0, -1) : path;
}

interface RootsOptions {
  readonly params: Pick<InitializeParams, "workspaceFolders" | "rootUri">;
  /** Folders that are ours and never the user's, such as that of the proposals. */
  readonly isOurs: (folder: string) => boolean;
  readonly onChange: (roots: readonly string[]) => void;
  /** The folder that is meant by one that the editor names; the same by default. */
  readonly toRoot?: (folder: string) => string;
}

/** The folders that the editor has open. */
export type Roots = ReturnType<typeof createRoots>;

export function createRoots({ params, isOurs, onChange, toRoot = (folder) => folder }: RootsOptions) {
  let current: readonly string[] = [...new Set(initialRoots(params).map(toRoot))];

  function set(next: readonly string[]): void {
    const roots = [...new Set(next)];
    if (roots.join("\0") === current.join("\0")) return;
    current = roots;
    onChange(current);
  }

  return {
    /** Absolute paths. */
    get current() {
      return current;
    },
    change({ added, removed }: WorkspaceFoldersChangeEvent): void {
      const gone = toPaths(removed).map(toRoot);
      const fresh = toPaths(added)
        .filter((folder) => !isOurs(folder))
        .map(toRoot);
      set([...current.filter((folder) => !gone.includes(folder)), ...fresh]);
    },
    /** A file of the user's was opened: where no folder is open, the first one tells. */
    fileOpened(file: string): void {
      if (current.length === 0) set([repositoryOf(path.dirname(file)) ?? path.dirname(file)]);
    },
  };
}

function initialRoots({ workspaceFolders, rootUri }: RootsOptions["params"]): readonly string[] {
  const folders = toPaths(workspaceFolders ?? []);
  if (folders.length > 0) return folders;
  return rootUri ? toPaths([{ uri: rootUri }]) : [];
}

/** Folders that are on no disk have no path, and no agent works in them. A plugin may send the path itself. */
function toPaths(folders: readonly { readonly uri: string }[]): readonly string[] {
  return folders.flatMap(({ uri }) => toFilePath(path.isAbsolute(uri) ? toFileUri(uri) : uri) ?? []);
}

const repositoryMarks = [".git", ".hg", ".jj", ".svn"];

/**
 * The nearest folder that is a repository's: this one, or one above it.
 * @param top a folder that is none, as those above it
 */
export function repositoryOf(start: string, top?: string): string | undefined {
  const folders = foldersUpwards(start);
  const end = top === undefined ? -1 : folders.indexOf(top);
  return folders
    .slice(0, end < 0 ? undefined : end)
    .find((folder) => repositoryMarks.some((mark) => existsSync(path.join(folder, mark))));
}
