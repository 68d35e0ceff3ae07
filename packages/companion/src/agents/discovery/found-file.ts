import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf, messageOf } from "../../system/error-message.ts";

/** No discovery file comes near it; whatever does is none. */
const maxBytes = 1024 * 1024;

/** A file that is there, as far as it can be read. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly uid: number;
  /** Permission bits. */
  readonly mode: number;
  /** In milliseconds since 1970. */
  readonly writtenAt: number;
  /** Absent when it cannot be read. */
  readonly text?: string;
  /** Why not, for people. */
  readonly unreadable?: string;
}

/**
 * Reads a file as an agent CLI does, symlinks followed, except that it waits for nothing: in a shared folder
 * anybody may have laid a pipe there.
 * @returns undefined when there is none
 */
export async function readFoundFile(path: string): Promise<FoundFile | undefined> {
  let handle: FileHandle | undefined;
  try {
    const { O_RDONLY, O_NONBLOCK = 0 } = constants; // Windows has no such flag
    handle = await open(path, O_RDONLY | O_NONBLOCK);
    const { uid, mode, mtimeMs, size } = await handle.stat().then((stats) => {
      if (!stats.isFile()) throw new Error("it is not a regular file");
      return stats;
    });
    const found = { path, uid, mode: mode & 0o777, writtenAt: mtimeMs };
    if (size > maxBytes) return { ...found, unreadable: `it has ${size} bytes` };
    return { ...found, text: await handle.readFile("utf8") };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const unreadable = code === "EACCES" ? "it may not be read by you" : messageOf(error);
    return { path, uid: -1, mode: 0, writtenAt: 0, unreadable };
  } finally {
    await handle?.close();
  }
}
