import { safeName } from "../../../companion/src/files/safe-text.ts";

/** Writes hostile names as the terminal does. */
export { safeName };

/** Splits paths and labels. The results have no control or bidirectional characters. */
export type Paths = ReturnType<typeof createPaths>;

/** @param separator of the companion's system. If it is a slash, a backslash is part of a name. */
export function createPaths(separator: string) {
  const isSeparator = (character: string | undefined) => character === "/" || character === separator;
  const lastSeparator = (path: string) => Math.max(path.lastIndexOf("/"), path.lastIndexOf(separator));
  const baseName = (path: string) => safeName(path.slice(lastSeparator(path) + 1) || path);
  return {
    /** The last name of a path. */
    baseName,
    /** All names in a path. */
    names: (path: string) => path.split(separator === "\\" ? /[\\/]/ : "/").map(safeName),
    /** Everything before the last name, with the separator. */
    folderPart: (path: string) => safeName(path.slice(0, lastSeparator(path) + 1)),
    /** A file from its root on, with slashes; its whole path where it is outside. */
    fromRoot(file: { readonly label: string; readonly outsideRoots: boolean }, roots: readonly string[]) {
      const label = separator === "\\" ? file.label.replaceAll("\\", "/") : file.label;
      return roots.length > 1 && !file.outsideRoots ? label.slice(label.indexOf("/") + 1) : label;
    },
    /** A path relative to its root, after the root's name when there are several roots. */
    labelPath(path: string, roots: readonly string[]) {
      for (const root of roots) {
        const folder = isSeparator(root.at(-1)) ? root.slice(0, -1) : root;
        if (!path.startsWith(folder) || !isSeparator(path[folder.length])) continue;
        const rest = path.slice(folder.length + 1);
        return safeName(roots.length > 1 ? `${baseName(folder)}/${rest}` : rest);
      }
      return safeName(path);
    },
  };
}

type Split = (path: string) => readonly string[];

/**
 * Distinguishes files of the same name by the shortest end of their folders.
 * @param paths absolute, each once
 * @param split splits a path into its names
 * @returns folders by path, only for names that occur several times
 */
export function tabFolders(paths: readonly string[], split: Split): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const path of paths) {
    const name = split(path).at(-1);
    const others = paths.filter((other) => other !== path && split(other).at(-1) === name);
    if (others.length > 0) folders.set(path, shortestFolder(path, others, split));
  }
  return folders;
}

function shortestFolder(path: string, others: readonly string[], split: Split): string {
  const folder = split(path).slice(0, -1);
  const otherFolders = others.map((other) => split(other).slice(0, -1));
  for (let count = 1; count < folder.length; count += 1) {
    const end = folder.slice(-count).join("/");
    if (!otherFolders.some((other) => other.slice(-count).join("/") === end)) return end;
  }
  return folder.join("/");
}

/** A search for a file, with an optional position. */
export interface FileQuery {
  readonly name: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based. */
  readonly character?: number;
}

/** Parses `edit.ts:40:7`, as compilers and searches print it, also while it is incomplete. */
export function parseFileQuery(text: string): FileQuery {
  const [, name = text, line, character] = /^(.+?):(\d*)(?::(\d*))?:?$/.exec(text.trim()) ?? [];
  const lineNumber = Number(line ?? 0);
  if (!Number.isSafeInteger(lineNumber) || lineNumber < 1) return { name };
  const column = Number(character ?? 0);
  const isColumn = Number.isSafeInteger(column) && column > 0;
  return { name, line: lineNumber, ...(isColumn ? { character: column } : {}) };
}
