import { type FSWatcher, readdirSync, watch } from "node:fs";
import path from "node:path";
import { ensureOwnedFolder } from "./private-file.ts";

/** The names of what is in a folder; none where there is no such folder, or it is closed to us. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nobody has made it yet
  }
}

/** A folder and those above it, nearest first. */
export function foldersUpwards(folder: string): readonly string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUpwards(parent)];
}

/**
 * Calls back whenever something in a private folder has changed; the folder is made for that.
 * @returns undefined where the system cannot tell
 */
export function watchOwnFolder(folder: string, listener: () => void): FSWatcher | undefined {
  try {
    ensureOwnedFolder(folder);
    const watcher = watch(folder, { persistent: false }, listener);
    watcher.on("error", () => watcher.close()); // the folder was deleted
    return watcher;
  } catch {
    return undefined; // no room for it, or none of ours
  }
}
