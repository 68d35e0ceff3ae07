import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import nodePath from "node:path";
import type { ConfinedPath } from "../../files/confinement.ts";
import { isIgnored, openIgnoreScope } from "../../files/ignore-scope.ts";
import { safeName } from "../../files/safe-text.ts";
import { RequestError } from "./answers.ts";
import type { TreeEntry } from "./protocol.ts";

/** The folders the user has opened, in their order. */
export function listRoots(roots: readonly string[]): TreeEntry[] {
  return roots.map((path) => ({
    name: safeName(nodePath.basename(path) || path),
    path,
    kind: "folder",
    ignored: false,
  }));
}

/**
 * What a folder holds: folders first, in natural order, git's own folder left out.
 * @param path as it was asked for; the entries' paths begin with it.
 * @throws RequestError 404 or 400 when there is no such folder, 403 when it cannot be read.
 */
export async function listFolder(path: string, confined: ConfinedPath): Promise<TreeEntry[]> {
  const entries = await readFolder(path, confined.real);
  const scope = await openIgnoreScope(confined.real, confined.realRoot);
  const rows = await Promise.all(
    entries.map(async (entry): Promise<TreeEntry> => {
      const isFolder = await leadsToFolder(entry, confined.real);
      return {
        name: safeName(entry.name),
        path: nodePath.join(path, entry.name),
        kind: isFolder ? "folder" : "file",
        // To git, a link is a file wherever it leads.
        ignored: isIgnored(scope, entry.name, isFolder && !entry.isSymbolicLink()),
      };
    }),
  );
  // Made here, because the first one costs some 7 ms, which the start does not have.
  const naturalOrder = new Intl.Collator("en", { numeric: true });
  return rows.sort(
    (one, other) =>
      Number(one.kind === "file") - Number(other.kind === "file") ||
      naturalOrder.compare(one.name, other.name),
  );
}

async function readFolder(path: string, real: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(real, { withFileTypes: true });
    return entries.filter((entry) => entry.name !== ".git");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") throw new RequestError(404, `There is no folder ${path}.`);
    if (code === "ENOTDIR") throw new RequestError(400, `${path} is a file, not a folder.`);
    const cause = error instanceof Error ? error.message : String(error);
    throw new RequestError(403, `The folder ${path} cannot be read: ${cause}`);
  }
}

async function leadsToFolder(entry: Dirent, folder: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return (await stat(nodePath.join(folder, entry.name))).isDirectory();
  } catch {
    return false; // it leads nowhere: shown as a file that is missing
  }
}
