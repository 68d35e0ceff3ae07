import { spawn } from "node:child_process";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import nodePath from "node:path";
import { nameOnDisk } from "../system/disk.ts";
import { codeOf } from "../system/error-message.ts";
import { pidIsAlive } from "../system/liveness.ts";
import { parseTemporaryName, temporaryName } from "../system/private-file.ts";
import { onceFree, replaceFile, whyHeld } from "../system/replace-file.ts";
import { toStamp } from "./file-stamp.ts";
import { belongsToGit } from "./git-own.ts";
import { type HeldFolder, holdFolderIn, holdNearest } from "./held-folder.ts";
import { isInside, realPathOf } from "./workspace-path.ts";
import { toWrittenBytes } from "./written-form.ts";

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
 * Writes an accepted text to the reviewed file: whole or not at all, in the encoding and with the line ends of the file.
 * Its rights, owner, attributes and hard links are kept, and a symbolic link keeps pointing to the file that changes. What
 * is no file is left alone.
 * @param text null deletes the file; bytes are written as they are
 * @throws Error with the reason, a sentence about `it`; then the file is as it was
 * @see docs/inside/decisions/0016-what-agents-may-write.md
 */
export async function writeReviewedFile(
  filePath: string,
  text: string | Buffer | null,
  { before, within }: WritingRules = {},
): Promise<void> {
  const { folder, name } = await openTarget(filePath, within);
  const entry = folder.entry(name);
  try {
    const present = statOf(entry);
    checkKind(present);
    if (present === undefined && text === null) return;
    // What has no UTF-8 is not in the name that we were given.
    if (present === undefined && name.includes("\uFFFD")) throw new Error("its name is not UTF-8");
    const former = await onceFree(() => (present ? readBytes(entry) : undefined));
    const bytes = typeof text === "string" ? toWrittenBytes(former, text) : (text ?? undefined);
    if (bytes && former?.equals(bytes)) return;
    const check = (stat = statOf(entry)) => {
      checkKind(stat);
      if (isStill(entry, stat, before ?? { bytes: former })) return;
      throw new Error("it has changed since the review began");
    };
    check(present);
    if (bytes) await write({ folder, name, bytes, present, check });
    else await onceFree(() => remove(entry, check));
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
    if (realRoots) {
      const place = nodePath.join(folder.path, ...missing, nodePath.basename(real));
      checkPlace(filePath, place, realRoots);
      if (await belongsToGit(place)) throw new Error("it belongs to git, which runs what its files say");
    }
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

/** @param real where the file is, or will be */
function checkPlace(filePath: string, real: string, realRoots: readonly string[]): void {
  if (realRoots.length === 0) throw new Error("no folder is open, and only files in an open one are written");
  if (!realRoots.some((each) => isInside(real, each))) {
    const isLinked = real !== nodePath.resolve(filePath);
    throw new Error(
      isLinked
        ? `it leads to ${real}, which lies outside of the open folders`
        : "it lies outside of the open folders",
    );
  }
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
  return stat.size === BigInt(before.bytes.length) && readBytes(entry).equals(before.bytes);
}

function readBytes(entry: string): Buffer {
  const handle = openSync(entry, constants.O_RDONLY | openSafely);
  try {
    checkKind(fstatSync(handle, { bigint: true }));
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

function remove(entry: string, check: Writing["check"]): void {
  check();
  unlinkSync(entry);
}

/** Neither follows a link nor waits for a pipe that somebody has put in the file's place. Windows has neither flag. */
const openSafely = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

interface Writing extends Target {
  readonly bytes: Buffer;
  readonly present: BigIntStats | undefined;
  /** Throws when the file is not the one that was reviewed. */
  readonly check: (stat?: BigIntStats) => void;
}

async function write(writing: Writing): Promise<void> {
  const { folder, name, bytes, present, check } = writing;
  const entry = folder.entry(name);
  sweep(folder);
  const temporary = folder.entry(temporaryName(ownName));
  try {
    const handle = await open(temporary, "wx", present && Number(present.mode & 0o7777n));
    try {
      if (present && !(await becomesLike(entry, present, { handle, temporary }))) {
        await writeInPlace(entry, bytes, check);
        return;
      }
      await fill(handle, bytes);
    } finally {
      await handle.close();
    }
    await replaceFile(temporary, entry, { check });
  } catch (error) {
    if (!present || !isFixedInPlace(error)) throw error;
    await writeInPlace(entry, bytes, check);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** As in a project's listing. */
const ownName = "ide-companion";

/** What writers have left that were killed. */
function sweep(folder: HeldFolder): void {
  for (const name of readdirSync(folder.entry(""))) {
    const left = parseTemporaryName(name);
    if (left?.name === ownName && !pidIsAlive(left.pid)) rmSync(folder.entry(name), { force: true });
  }
}

/** The file is a mount point, or nothing may be made or replaced in its folder. On Windows it means something else. */
function isFixedInPlace(error: unknown): boolean {
  return process.platform !== "win32" && /^(?:EBUSY|EACCES|EPERM|EROFS)$/.test(String(codeOf(error)));
}

interface Fresh {
  readonly handle: FileHandle;
  /** Its name, as the file system takes it. */
  readonly temporary: string;
}

/**
 * Gives a new file what the present one has besides its text.
 * @returns false where something would be lost: other names, the owner, access lists or attributes
 */
async function becomesLike(
  entry: string,
  present: BigIntStats,
  { handle, temporary }: Fresh,
): Promise<boolean> {
  if (present.nlink !== 1n) return false;
  if (process.platform !== "win32") {
    if (!(await copyAttributes(entry, { handle, temporary }))) return false;
    await handle.chmod(Number(present.mode & 0o7777n));
  }
  const { uid, gid } = await handle.stat({ bigint: true });
  return present.uid === uid && present.gid === gid;
}

/** Node knows neither access lists nor extended attributes. @returns whether a program has copied them */
async function copyAttributes(entry: string, { handle, temporary }: Fresh): Promise<boolean> {
  const source = await open(entry, constants.O_RDONLY | openSafely);
  try {
    // By handles: nobody can put a link in the place of either. macOS has no such names for files.
    const isLinux = process.platform === "linux";
    const files = isLinux ? ["/dev/fd/3", "/dev/fd/4"] : ["--", entry, temporary];
    const how = isLinux ? ["--attributes-only", "--preserve=all"] : ["-p"];
    const stdio = ["ignore", "ignore", "ignore", source.fd, handle.fd] as const;
    const program = spawn("cp", [...how, ...files], { stdio: [...stdio] });
    return await new Promise<boolean>((resolve) => {
      program.once("error", () => resolve(false)); // there is no such program
      program.once("exit", (code) => resolve(code === 0));
    });
  } finally {
    await source.close();
  }
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
