import { type FSWatcher, watch } from "node:fs";
import { ensureOwnedFolder } from "./private-file.ts";

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
