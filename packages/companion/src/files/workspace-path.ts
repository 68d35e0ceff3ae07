import { realpathSync } from "node:fs";
import nodePath from "node:path";
import type { Host } from "../system/host.ts";

/** Roots as a discovery file and a terminal variable hold them; empty when no folder is open. */
export const toWorkspacePath = (roots: readonly string[], host: Host): string => roots.join(host.delimiter);

/** The roots of such a text. */
export const parseWorkspacePath = (text: string, host: Host): readonly string[] =>
  text.split(host.delimiter).filter((root) => root !== "");

/** Whether a resolved path is a folder itself or lies below it. */
export function isInside(path: string, folder: string, system: typeof nodePath = nodePath): boolean {
  const relative = system.relative(folder, path);
  return relative !== ".." && !relative.startsWith(`..${system.sep}`) && !system.isAbsolute(relative);
}

/** Whether a folder is one of these, or in one of them, after following symlinks. */
export const holds = (roots: readonly string[], folder: string): boolean =>
  innermostRoot(roots, folder) !== undefined;

/** The most specific root that holds a folder, after following symlinks; undefined when none does. */
export function innermostRoot(roots: readonly string[], folder: string): string | undefined {
  const real = toRealPath(folder);
  return roots
    .map(toRealPath)
    .filter((root) => isInside(real, root))
    .toSorted((a, b) => b.length - a.length)[0];
}

/** The native one also gives the spelling that a case-insensitive disk has. */
export function toRealPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return nodePath.resolve(folder); // a root that was deleted since: as it is written
  }
}

/** The innermost of the open folders that holds a file. @param path absolute */
export function rootOf(
  path: string,
  roots: readonly string[],
  system: typeof nodePath = nodePath,
): string | undefined {
  const holding = roots.filter((root) => isInside(path, root, system));
  return holding.sort((one, other) => other.length - one.length)[0];
}
