import { type BigIntStats, statSync } from "node:fs";

/** What a path leads to; `other` is also what cannot be looked at. */
export type FileKind = "missing" | "file" | "folder" | "other";

/** A file as it was at one moment. */
export interface FileLook {
  readonly kind: FileKind;
  /**
   * What tells that the file has been written, made or taken away since: two stamps of it are the same as long as it
   * is as it was, if the first one is not fresh.
   */
  readonly stamp: string;
  /** It was written so shortly before that what is written next may leave the same stamp. */
  readonly isFresh: boolean;
}

/** The longest step in which a file system counts time, in milliseconds: that of FAT. */
const step = 2000;

/** At once: an agent waits, and a turn of a thread takes far longer. */
export function lookAt(filePath: string): FileLook {
  try {
    const stat = statSync(filePath, { bigint: true, throwIfNoEntry: false });
    const isFresh = stat !== undefined && Math.abs(Date.now() - Number(stat.mtimeMs)) < step;
    return { kind: stat === undefined ? "missing" : kindOf(stat), stamp: toStamp(stat), isFresh };
  } catch {
    return { kind: "other", stamp: absent, isFresh: false }; // below what is no folder, or out of reach
  }
}

export const fileStampOf = (filePath: string): string => lookAt(filePath).stamp;

/** @param stat of the file; undefined when there is none */
export function toStamp(stat: BigIntStats | undefined): string {
  return stat === undefined ? absent : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** The stamp of no file. */
export const absent = "absent";

function kindOf(stat: BigIntStats): FileKind {
  if (stat.isFile()) return "file";
  return stat.isDirectory() ? "folder" : "other";
}
