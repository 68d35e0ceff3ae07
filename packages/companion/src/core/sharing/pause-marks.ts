import { existsSync, rmSync } from "node:fs";
import path from "node:path";
import { hashOf } from "../../files/text-hash.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import { namesIn, watchOwnFolder } from "../../system/disk.ts";
import { type Host, stateFolder } from "../../system/host.ts";
import { ensureOwnedFolder, writePrivateFile } from "../../system/private-file.ts";

/** Where the system does not tell of changes, as on some network drives, they are looked for; in milliseconds. */
const interval = 1000;

/**
 * Which folders' sharing is paused: a private file for each in the state folder, so that it outlasts the companion, all
 * companions of a folder follow, and no token helps to change it.
 */
export function createPauseMarks(host: Host) {
  const folder = path.join(stateFolder(host), "paused");
  // A companion without a folder has a mark as well.
  const filesOf = (roots: readonly string[]) =>
    (roots.length === 0 ? [""] : roots).map((root) => path.join(folder, keyOf(root)));

  return {
    /** Whether one of these folders is paused. */
    has: (roots: readonly string[]) => filesOf(roots).some(existsSync),
    /** @throws Error of the file system, or FolderError when the state folder is not ours alone */
    add(roots: readonly string[]) {
      ensureOwnedFolder(folder);
      for (const file of filesOf(roots)) writePrivateFile(file, "");
    },
    /** @throws Error of the file system */
    remove(roots: readonly string[]) {
      for (const file of filesOf(roots).filter(existsSync)) rmSync(file, { force: true });
    },
    /** Removes all that there are. @throws Error of the file system */
    clear() {
      for (const name of namesIn(folder)) rmSync(path.join(folder, name), { force: true });
    },
    /** Calls back whenever a mark may have been made or removed, also by others. @returns stops that */
    follow(listener: () => void) {
      const watcher = watchOwnFolder(folder, listener);
      const timer = setInterval(listener, interval).unref();
      return () => {
        watcher?.close();
        clearInterval(timer);
      };
    },
  };
}

function keyOf(root: string): string {
  const real = root === "" ? root : toRealPath(root);
  return hashOf(real).slice(0, 32);
}
