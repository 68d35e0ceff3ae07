import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { statsOf } from "../../editors/set-up/text-file.ts";

/** The files below a folder, as paths relative to it, in a fixed order. */
export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted();
}

/** Changes with every name and every byte; undefined when there is no folder. */
export function hashFolder(folder: string): string | undefined {
  if (!statsOf(folder)?.isDirectory()) return undefined;
  const hash = createHash("sha256");
  for (const file of listFiles(folder)) {
    const bytes = readFileSync(path.join(folder, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

export const hashText = (text: string): string => createHash("sha256").update(text).digest("hex");
