import { accessSync, constants, lstatSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { foldersUpwards } from "../../system/disk.ts";
import { codeOf, messageOf } from "../../system/error-message.ts";
import { takeBlock } from "./edits/edit.ts";
import { InstallError, type Plan } from "./plan.ts";

/**
 * The text of a file of the user's.
 * @returns undefined when there is none
 * @throws InstallError when it is none that could be changed
 */
export function readText(file: string): string | undefined {
  const stats = statsOf(file);
  if (!stats) {
    if (isLink(file)) throw new InstallError(`${file} is a link that leads nowhere`);
    return undefined;
  }
  if (!stats.isFile()) throw new InstallError(`${file} is no file`);
  return decode(file, readFileSync(file));
}

/** @throws InstallError when a file must not be changed, or cannot be put there */
export function checkWritable(file: string): void {
  const stats = statsOf(file);
  if (!stats) {
    checkFolder(path.dirname(file));
    return;
  }
  // The owner has said so, even where it would be possible: for root, or by putting another file in its place.
  if ((stats.mode & 0o200) === 0) throw new InstallError(`${file} is read-only`);
  // Behind a link, as those who keep their dotfiles in a repository have it.
  checkFolder(path.dirname(realpathSync(file)));
}

/** What edits a file's text. @throws InstallError that names the file when it cannot */
export function editText<T>(file: string, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    // What follows shows the place.
    const [reason] = messageOf(error).split("\n");
    throw new InstallError(`${file} cannot be changed: ${reason}`);
  }
}

/** @throws InstallError when nothing can be written in a folder, or in the nearest one that is there */
export function checkFolder(folder: string): void {
  const present = foldersUpwards(folder).find(statsOf) ?? folder;
  const stats = statsOf(present);
  if (!stats?.isDirectory()) throw new InstallError(`${present} is no folder`);
  try {
    if ((stats.mode & 0o200) === 0) throw new Error("not for its owner");
    accessSync(present, constants.W_OK);
  } catch {
    throw new InstallError(`nothing can be written in ${present}`);
  }
}

function decode(file: string, bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw new InstallError(`${file} is not in UTF-8`);
  return text;
}

const isLink = (file: string) =>
  statsOf(path.dirname(file))?.isDirectory() &&
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** What a path leads to; undefined when that is nothing, or a file stands in the way. */
export function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/** What has been set up by hand stays as it is: twice would be once too often. */
export const manuallySetUp: Plan = { parts: [], next: [] };

/**
 * Whether a file says something outside of our block and of lines that are comments.
 * @param comment what begins a comment in it, of a character that begins one alone
 */
export function isManuallySetUp(file: string, comment: string, pattern: RegExp): boolean {
  const text = readText(file) ?? "";
  try {
    const lines = takeBlock({ comment, lines: [] }, text).split("\n");
    return lines.some((line) => !line.trimStart().startsWith(comment[0] ?? "") && pattern.test(line));
  } catch {
    return false; // half a block, which is reported when it is to be changed
  }
}
