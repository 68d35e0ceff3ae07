import { statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * What tells that a file has been written, made or taken away since: two stamps of it are the same as long as it is
 * as it was.
 * @returns undefined when there is neither the file nor its folder: it may be on another machine
 */
export function stampOf(filePath: string): string | undefined {
  const stat = statIfThere(filePath);
  if (stat !== undefined) return `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
  return statIfThere(dirname(filePath)) === undefined ? undefined : "absent";
}

function statIfThere(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined; // below what is no folder, or out of reach
  }
}
