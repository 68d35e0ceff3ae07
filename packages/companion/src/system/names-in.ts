import { readdirSync } from "node:fs";

/** The names of what is in a folder; none where there is no such folder, or it is closed to us. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nobody has made it yet
  }
}
