import { realpath } from "node:fs/promises";
import nodePath from "node:path";
import { isInside } from "./workspace-path.ts";

/** A path that lies inside a root, after every symlink on the way has been followed. */
export interface ConfinedPath {
  /** The root as it was given. */
  readonly root: string;
  readonly realRoot: string;
  /** Where the path really leads; its last parts may not exist. */
  readonly real: string;
  /** From the real root to the real path, empty for the root itself. */
  readonly relative: string;
}

/** @returns undefined when the path leads out of every root. */
export async function confine(path: string, roots: readonly string[]): Promise<ConfinedPath | undefined> {
  const real = await realPathOf(path);
  for (const root of roots) {
    const realRoot = await realPathOf(root);
    if (isInside(real, realRoot)) {
      return { root, realRoot, real, relative: nodePath.relative(realRoot, real) };
    }
  }
  return undefined;
}

/** Like `fs.realpath`, but what does not exist (or cannot be reached) stays as it is written. */
export async function realPathOf(path: string): Promise<string> {
  const missing: string[] = [];
  for (let existing = nodePath.resolve(path); ; existing = nodePath.dirname(existing)) {
    try {
      return nodePath.join(await realpath(existing), ...missing);
    } catch {
      // Missing, a broken link, or a folder that may not be searched: its nearest existing parent decides.
      if (nodePath.dirname(existing) === existing) return nodePath.resolve(path);
      missing.unshift(nodePath.basename(existing));
    }
  }
}
