import { type Stats, statSync } from "node:fs";

/** What a path leads to; undefined when that is nothing, or a file stands in the way. */
export function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
    throw error;
  }
}
