import { type BigIntStats, statSync } from "node:fs";

/**
 * What tells that a file has been written, made or taken away since: two stamps of it are the same as long as it is
 * as it was.
 */
export const fileStampOf = (filePath: string): string => toStamp(statIfThere(filePath));

/** @param stat of the file; undefined when there is none */
export function toStamp(stat: BigIntStats | undefined): string {
  return stat === undefined ? absent : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

const absent = "absent";

function statIfThere(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined; // below what is no folder, or out of reach
  }
}
