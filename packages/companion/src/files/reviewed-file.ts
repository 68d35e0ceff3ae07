import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
} from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import nodePath from "node:path";
import { nameOnDisk } from "../system/disk-name.ts";
import { codeOf } from "../system/error-message.ts";
import { onceFree, replaceFile, whyHeld } from "../system/replace-file.ts";
import { toStamp } from "./file-stamp.ts";
import { isInside, linkedPath, realPathOf } from "./workspace-path.ts";

/** What a file was when its review began. */
export type FileBefore =
  | { readonly stamp: string }
  /** Undefined when there was none. */
  | { readonly bytes: Buffer | undefined };

export interface WritingRules {
  /** A file that is another one by now is left alone. */
  readonly before?: FileBefore;
  /** Absolute paths of folders: what lies in none of them, after following all links, is left alone. */
  readonly within?: readonly string[];
}

/**
 * Writes an accepted text to the reviewed file: whole or not at all, byte-exact. Mode, owner and hard links of the file
 * are kept, and a symbolic link keeps pointing to the file that changes. What is no file is left alone.
 * @throws Error with the reason, a sentence about `it`; then the file is as it was
 * @see docs/inside/decisions/0016-what-agents-may-write.md
 */
export async function writeReviewedFile(
  filePath: string,
  content: string,
  { before, within }: WritingRules = {},
): Promise<void> {
  const { folder, name } = await openTarget(filePath, within);
  const bytes = Buffer.from(content);
  const entry = folder.entry(name);
  try {
    const present = statOf(entry);
    checkKind(present);
    const check = (stat = statOf(entry)) => {
      checkKind(stat);
      if (before && !isStill(entry, stat, before)) throw new Error("it has changed since the review began");
    };
    const isThere = await onceFree(() => {
      if (holdsBytes(entry, present, bytes)) return true;
      check(present);
      return false;
    });
    if (isThere) return;
    await write({ folder, name, bytes, present, check });
  } catch (error) {
    throw withoutHandle(error, folder);
  } finally {
    folder.close();
  }
}

interface Target {
  readonly folder: HeldFolder;
  /** Of the file in it. */
  readonly name: string;
}

/** Follows the links, makes the folders that are missing, and holds on to the last one. */
async function openTarget(filePath: string, within: readonly string[] | undefined): Promise<Target> {
  const real = await realPathOf(filePath);
  const realRoots = within && (await Promise.all(within.map(realPathOf)));
  const { folder: nearest, missing } = holdNearest(nodePath.dirname(real));
  let folder = nearest;
  try {
    if (realRoots)
      checkPlace(filePath, nodePath.join(folder.path, ...missing, nodePath.basename(real)), realRoots);
    for (const name of missing) {
      const parent = folder;
      folder = holdFolderIn(parent, name);
      parent.close();
    }
    return { folder, name: nameOnDisk(folder.entry(""), nodePath.basename(real)) };
  } catch (error) {
    folder.close();
    throw withoutHandle(error, folder);
  }
}

/** The nearest folder that exists, and the names of those that are missing below it. */
function holdNearest(path: string): { folder: HeldFolder; missing: readonly string[] } {
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

/** @param real where the file is, or will be */
function checkPlace(filePath: string, real: string, realRoots: readonly string[]): void {
  if (realRoots.length === 0) throw new Error("no folder is open, and only files in an open one are written");
  const root = realRoots.find((each) => isInside(real, each));
  if (root === undefined) {
    const isLinked = real !== nodePath.resolve(filePath);
    throw new Error(
      isLinked
        ? `it leads to ${real}, which lies outside of the open folders`
        : "it lies outside of the open folders",
    );
  }
  // What is written there, git runs.
  const parts = nodePath.relative(root, real).toLowerCase().split(nodePath.sep);
  if (parts.includes(".git")) throw new Error("it belongs to git, which runs what its files say");
}

function statOf(entry: string): BigIntStats | undefined {
  return lstatSync(entry, { bigint: true, throwIfNoEntry: false });
}

function checkKind(stat: BigIntStats | undefined): void {
  // Another file could be put in its place, but the user who took that right away meant it.
  if (stat?.isFile() && (stat.mode & 0o222n) === 0n) throw new Error("it is read-only");
  if (stat === undefined || stat.isFile()) return;
  if (stat.isDirectory()) throw new Error("it is a folder");
  // Every link that leads somewhere has been followed.
  if (stat.isSymbolicLink()) throw new Error("it is a link that leads nowhere");
  throw new Error("it is a pipe, a socket or a device");
}

function isStill(entry: string, stat: BigIntStats | undefined, before: FileBefore): boolean {
  if ("stamp" in before) return toStamp(stat) === before.stamp;
  if (before.bytes === undefined || stat === undefined) return before.bytes === stat;
  return holdsBytes(entry, stat, before.bytes);
}

function holdsBytes(entry: string, stat: BigIntStats | undefined, bytes: Buffer): boolean {
  if (stat?.size !== BigInt(bytes.length)) return false;
  const handle = openSync(entry, constants.O_RDONLY | openSafely);
  try {
    return fstatSync(handle).isFile() && readFileSync(handle).equals(bytes);
  } finally {
    closeSync(handle);
  }
}

/** Neither follows a link nor waits for a pipe that somebody has put in the file's place. Windows has neither flag. */
const openSafely = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface Writing extends Target {
  readonly bytes: Buffer;
  readonly present: BigIntStats | undefined;
  /** Throws when the file is not the one that was reviewed. */
  readonly check: (stat?: BigIntStats) => void;
}

async function write({ folder, name, bytes, present, check }: Writing): Promise<void> {
  const entry = folder.entry(name);
  const temporary = folder.entry(`.ide-companion-${randomBytes(6).toString("hex")}.tmp`);
  const mode = present === undefined ? undefined : Number(present.mode & 0o7777n);
  try {
    const handle = await open(temporary, "wx", mode);
    try {
      if (present && !canBeReplaced(present, await handle.stat({ bigint: true }))) {
        await writeInPlace(entry, bytes, check);
        return;
      }
      await handle.writeFile(bytes);
      // The mode given at creation is narrowed by the umask.
      if (mode !== undefined && process.platform !== "win32") await handle.chmod(mode);
    } finally {
      await handle.close();
    }
    await replaceFile(temporary, entry, { check });
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Whether nobody would notice but by the text: another file would have lost other names of this one, or its owner. */
function canBeReplaced(present: BigIntStats, fresh: BigIntStats): boolean {
  return present.nlink === 1n && present.uid === fresh.uid && present.gid === fresh.gid;
}

async function writeInPlace(entry: string, bytes: Buffer, check: Writing["check"]): Promise<void> {
  const handle = await open(entry, constants.O_RDWR | openSafely);
  try {
    const former = await handle.readFile();
    check(fstatSync(handle.fd, { bigint: true }));
    await fill(handle, bytes).catch(async (error: unknown) => {
      // Its own blocks are there already: this does not fail for want of room.
      await fill(handle, former);
      throw error;
    });
  } finally {
    await handle.close();
  }
}

async function fill(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written, written)).bytesWritten;
  }
  await handle.truncate(bytes.length);
}

/** The file system's errors name entries of a held folder by a handle, which says nothing to people. */
function withoutHandle(error: unknown, folder: HeldFolder): unknown {
  if (!(error instanceof Error)) return error;
  const held = whyHeld(error);
  if (held !== undefined) return new Error(held, { cause: error });
  const message = error.message.replaceAll(folder.entry(""), nodePath.join(folder.path, nodePath.sep));
  return message === error.message ? error : new Error(message, { cause: error });
}

/**
 * A folder that stays the one that was opened, whatever is renamed or linked in its path's place meanwhile. Only Linux
 * can promise that: elsewhere it is the folder that its path leads to at each moment.
 */
interface HeldFolder {
  /** Where it really is. */
  readonly path: string;
  /** How the file system is asked for an entry of it. */
  entry(name: string): string;
  close(): void;
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

/** Makes a folder in another one, or takes the one that is there. */
function holdFolderIn(parent: HeldFolder, name: string): HeldFolder {
  const path = parent.entry(name);
  try {
    mkdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return holdFolder(path);
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
