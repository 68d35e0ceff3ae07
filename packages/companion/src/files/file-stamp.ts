import { type BigIntStats, statSync } from "node:fs";

/** What a path leads to; `other` is also what cannot be looked at. */
export type FileKind = "missing" | "file" | "folder" | "other";

/** A file as it was at one moment. */
export interface FileLook {
  readonly kind: FileKind;
  /**
   * What tells that the file has been written, made or taken away since: two stamps of it are the same as long as it
   * is as it was.
   */
  readonly stamp: string;
}

/** At once: an agent waits, and a turn of a thread takes far longer. */
export function lookAt(filePath: string): FileLook {
  try {
    const stat = statSync(filePath, { bigint: true, throwIfNoEntry: false });
    return { kind: stat === undefined ? "missing" : kindOf(stat), stamp: toStamp(stat) };
  } catch {
    return { kind: "other", stamp: absent }; // below what is no folder, or out of reach
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
