import { safeName } from "./safe-name.ts";

/** How paths and labels are taken apart. Nothing in what comes back hides or turns. */
export interface Paths {
  /** The last name of a path. */
  baseName(path: string): string;
  /** What comes before the last name, separator included; empty when there is nothing. */
  folderPart(path: string): string;
  /** All names in a path. */
  names(path: string): readonly string[];
  /** A path below one of the roots, with the root's name before it when there are several. */
  labelPath(path: string, roots: readonly string[]): string;
}

/** @param separator of the companion's system: where it is not a backslash, a backslash is a part of a name */
export function createPaths(separator: string): Paths {
  const isSeparator = (character: string | undefined) => character === "/" || character === separator;
  const lastSeparator = (path: string) => Math.max(path.lastIndexOf("/"), path.lastIndexOf(separator));
  const baseName = (path: string) => safeName(path.slice(lastSeparator(path) + 1) || path);
  return {
    baseName,
    names: (path) => path.split(separator === "\\" ? /[\\/]/ : "/").map(safeName),
    folderPart: (path) => safeName(path.slice(0, lastSeparator(path) + 1)),
    labelPath(path, roots) {
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
