import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

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
