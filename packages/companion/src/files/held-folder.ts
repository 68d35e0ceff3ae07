import { closeSync, constants, mkdirSync, openSync, readlinkSync } from "node:fs";
import nodePath from "node:path";
import { codeOf } from "../system/error-message.ts";
import { linkedPath } from "./workspace-path.ts";

/**
 * A folder that stays the one that was opened, whatever is renamed or linked in its path's place meanwhile. Only Linux
 * can promise that: elsewhere it is the folder that its path leads to at each moment.
 */
export interface HeldFolder {
  /** Where it really is. */
  readonly path: string;
  /** How the file system is asked for an entry of it. */
  entry(name: string): string;
  close(): void;
}

/** The nearest folder that exists, and the names of those that are missing below it. */
export function holdNearest(path: string): { folder: HeldFolder; missing: readonly string[] } {
  const missing: string[] = [];
  for (let existing = path; ; existing = nodePath.dirname(existing)) {
    try {
      return { folder: holdFolder(existing), missing };
    } catch (error) {
      const isMissing = codeOf(error) === "ENOENT";
      if (!isMissing || nodePath.dirname(existing) === existing) throw error;
      missing.unshift(nodePath.basename(existing));
    }
  }
}

/** Makes a folder in another one, or takes the one that is there. */
export function holdFolderIn(parent: HeldFolder, name: string): HeldFolder {
  const path = parent.entry(name);
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return holdFolder(path);
}

/** @throws the file system's error; a link is no folder here */
function holdFolder(path: string): HeldFolder {
  // Windows has neither of the last two.
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants;
  if (process.platform !== "linux") return byPath(path);
  const handle = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  const held = `/proc/self/fd/${handle}`;
  const real = realPathOfHandle(held);
  if (real === undefined) {
    closeSync(handle);
    return byPath(path);
  }
  let isOpen = true;
  return {
    path: real,
    entry: (name) => `${held}/${name}`,
    close() {
      // Twice would close what has got the same number since.
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}

function byPath(path: string): HeldFolder {
  const real = linkedPath(path);
  return { path: real, entry: (name) => nodePath.join(real, name), close: () => {} };
}

function realPathOfHandle(held: string): string | undefined {
  try {
    return readlinkSync(held);
  } catch {
    return undefined; // there is no /proc here
  }
}
