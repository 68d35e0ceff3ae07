import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import { type Host, stateFolder } from "../../system/host.ts";
import { ensureOwnedFolder, readPrivateFile, writePrivateFile } from "../../system/private-file.ts";

/** What lets the open pages of an earlier run come back by themselves. */
export interface PageMemory {
  readonly port?: number;
  /** Signs the pages' cookies. */
  readonly secret: string;
}

/** Reads what an earlier run for the same folders has left; a new secret when there is nothing. */
export function recallPage(file: string): PageMemory {
  const known = parseMemory(readPrivateFile(file) ?? "");
  return known ?? { secret: randomBytes(32).toString("base64url") };
}

/** @throws Error of the file system, or FolderError when the folder is not ours alone */
export function rememberPage(file: string, memory: Required<PageMemory>): void {
  ensureOwnedFolder(path.dirname(file));
  writePrivateFile(file, `${JSON.stringify(memory)}\n`);
}

/** One file for each set of folders. */
export function memoryFile(roots: readonly string[], host: Host, platform = process.platform): string {
  const key = createHash("sha256").update(roots.toSorted().join("\0")).digest("hex").slice(0, 32);
  return path.join(stateFolder(host, platform), `${key}.json`);
}

function parseMemory(text: string): PageMemory | undefined {
  try {
    const { port, secret }: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (typeof secret !== "string" || secret.length < 32 || !Number.isInteger(port)) return undefined;
    return { port: Number(port), secret };
  } catch {
    return undefined; // none yet, or damaged: pages are opened again
  }
}
