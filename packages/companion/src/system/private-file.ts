import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { codeOf } from "./error-message.ts";
import { replaceFileSync } from "./replace-file.ts";

/** No discovery file comes near it; whatever does is none. */
const discoveryLimit = 64 * 1024;

/**
 * Replaces a file in one step, readable by us alone from its first byte.
 * Synchronous like all writing here: a few system calls, which nothing can interleave with a removal.
 * @param options.flush whether the text has to outlast a power failure
 * @throws Error of the file system
 */
export function writePrivateFile(file: string, text: string | Buffer, { flush = false } = {}): void {
  const temporary = path.join(path.dirname(file), temporaryName(path.basename(file)));
  try {
    // wx: nobody can have put a file or a symlink there for us to write through.
    writeFileSync(temporary, text, { flag: "wx", mode: 0o600, flush });
    // A CLI may read at any moment: rename makes the swap atomic.
    replaceFileSync(temporary, file);
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
}

/**
 * Replaces the content of a private file that is there, for those who watch the file itself.
 * @returns false when there is no such file
 * @throws Error of the file system
 */
export function overwritePrivateFile(file: string, text: string): boolean {
  if (readPrivateFile(file) === undefined) return false;
  const { O_WRONLY, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const handle = openSync(file, O_WRONLY | O_TRUNC | O_NOFOLLOW);
  try {
    // In one call: a reader in between finds an empty file, and never half of one.
    writeFileSync(handle, text);
  } finally {
    closeSync(handle);
  }
  return true;
}

/** The text of a regular file of ours; undefined for everything else, a symlink or a pipe included. */
export const readPrivateFile = (file: string, options?: PrivateReading): string | undefined =>
  readPrivateBytes(file, options)?.toString("utf8");

export interface PrivateReading {
  readonly uid?: Uid;
  readonly maxBytes?: number;
}

/** The bytes of such a file. */
export function readPrivateBytes(
  file: string,
  { uid = ownUid(), maxBytes = discoveryLimit }: PrivateReading = {},
): Buffer | undefined {
  let handle: number | undefined;
  try {
    // Not blocking: in a shared folder anybody may have laid a pipe there. Windows has neither flag.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    handle = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(handle);
    const readable = stats.isFile() && stats.size <= maxBytes && (uid === null || stats.uid === uid);
    return readable ? readFileSync(handle) : undefined;
  } catch {
    return undefined; // gone, foreign or unreadable: no file of ours
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** @returns whether it is gone */
export function removeFile(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch (error) {
    return codeOf(error) === "ENOENT";
  }
}

/** A name under which a file is written that is to become one of this name. */
export const temporaryName = (name: string): string => `.${name}.${process.pid}-${randomDigits()}.tmp`;

/** Twelve hexadecimal ones. A number of V8's is enough: where a file is there already, none is written. */
const randomDigits = (): string =>
  Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, "0");

/** What a temporary file of ours would have become, and whose it was; undefined for other names. */
export function parseTemporaryName(
  name: string,
): { readonly name: string; readonly pid: number } | undefined {
  const [, final, pid] = /^\.(.+)\.(\d+)-[0-9a-f]{12}\.tmp$/.exec(name) ?? [];
  return final === undefined ? undefined : { name: final, pid: Number(pid) };
}

/** A user id; null on Windows, which has neither user ids nor modes. */
export type Uid = number | null;

/** Why a folder of ours cannot be used: a sentence that names it and the remedy. */
export class FolderError extends Error {
  override readonly name = "FolderError";
}

export const ownUid = (): Uid => process.getuid?.() ?? null;

/**
 * Makes a folder ours alone (0700), with all that is missing above it.
 * @throws FolderError if it is a symlink, not a folder, or another user's: its owner could replace
 *   our files and send the agent CLIs elsewhere.
 */
export function ensureOwnedFolder(folder: string, uid: Uid = ownUid()): void {
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const stats = lstatSync(folder);
  refuseForeign(folder, stats, uid);
  // Also after our own mkdir, whose mode the umask may have cut.
  if (uid !== null && (stats.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}

function refuseForeign(folder: string, stats: Stats, uid: Uid): void {
  if (stats.isSymbolicLink()) {
    throw new FolderError(
      `${folder} is a symlink, and must be a folder of yours. Remove it and start again.`,
    );
  }
  if (!stats.isDirectory()) {
    throw new FolderError(`${folder} is a file, and must be a folder of yours. Remove it and start again.`);
  }
  if (uid !== null && stats.uid !== uid) {
    throw new FolderError(
      `${folder} belongs to user ${stats.uid}, and must belong to you (user ${uid}). ` +
        "Have it removed, or set TMPDIR to your own folder, for the companion and for the agent CLIs.",
    );
  }
}
