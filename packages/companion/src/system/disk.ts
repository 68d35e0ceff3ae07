import { existsSync, type FSWatcher, lstatSync, readdirSync, readFileSync, watch } from "node:fs";
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

/** The regular files in a folder, newest first. */
export function filesIn(folder: string) {
  const files = namesIn(folder).flatMap((name) => {
    const file = path.join(folder, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats?.isFile() ? [{ name, file, size: stats.size, writtenAt: stats.mtimeMs }] : [];
  });
  return files.sort((one, other) => other.writtenAt - one.writtenAt);
}

/** The text of a file; undefined where there is none, or it is closed to us. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // also deleted in this moment
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

/** What the spellings of one name have in common on a disk that tells neither cases nor forms of Unicode apart. */
export const foldName = (name: string): string => name.normalize("NFC").toLowerCase();

/**
 * The spelling that a file has in its folder: what replaces it under another one would rename it. macOS and Windows tell
 * it with the real path, Linux does not, where it has a disk of theirs.
 * @param folder as the file system takes it
 * @returns the name as it was given, where there is no such file
 */
export function nameOnDisk(folder: string, name: string): string {
  // Where cases differ, or there is no such file, nothing has to be read.
  if (!existsSync(path.join(folder, swapCase(name)))) return name;
  return pickName(name, readdirSync(folder));
}

/** Pure. @param names all that are in the folder */
export function pickName(name: string, names: readonly string[]): string {
  if (names.includes(name)) return name;
  const folded = foldName(name);
  return names.find((each) => foldName(each) === folded) ?? name;
}

/** Pure. */
export const swapCase = (name: string): string =>
  [...name]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join("");
