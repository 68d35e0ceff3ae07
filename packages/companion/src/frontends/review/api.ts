import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import nodePath from "node:path";
import { whyNoFilePath } from "../../files/file-path.ts";
import { type FileText, readFileText, readStamp } from "../../files/file-text.ts";
import { isIgnored, openIgnoreScope } from "../../files/ignore-scope.ts";
import { safeName } from "../../files/safe-text.ts";
import { type ConfinedPath, confine } from "../../files/workspace-path.ts";
import { codeOf, messageOf } from "../../system/error-message.ts";
import { RequestError } from "./answers.ts";
import type { FileIndex } from "./file-index.ts";
import type { FileWatch } from "./file-watch.ts";
import type { ProposalStore } from "./proposal-store.ts";
import type { ProposalTexts, TreeEntry } from "./protocol.ts";
import type { Stored } from "./stored.ts";

export interface ApiSubjects {
  readonly roots: () => readonly string[];
  readonly store: ProposalStore;
  readonly stored: Pick<Stored, "history" | "edits" | "written" | "marks" | "holds">;
  readonly viewed: ReadonlyMap<string, readonly string[]>;
  readonly index: FileIndex;
  readonly watch: FileWatch;
}

export type Api = ReturnType<typeof createApi>;

/** What the page reads over HTTP. */
export function createApi({ roots, store, stored, viewed: allViewed, index, watch }: ApiSubjects) {
  /** Files under review or in the history may lie anywhere: an agent named them, the user judges them. */
  const isReviewed = (path: string) => store.holds(path) || stored.holds(path);

  /**
   * @returns what is to be sent as JSON.
   * @throws RequestError with the status and a sentence.
   */
  async function answer({ pathname, searchParams }: URL): Promise<unknown> {
    const [, , noun = "", id = "", ...rest] = pathname.split("/");
    if (rest.length > 0) throw new RequestError(404, `There is no ${pathname}.`);
    if (noun === "proposals" && id) return proposalTexts(id);
    if ((noun === "edits" || noun === "history" || noun === "written") && id) return storedTexts(noun, id);
    if (noun === "search" && !id) return index.search(searchParams.get("q") ?? "");
    if (noun === "tree" && !id) return tree(searchParams.get("path"));
    if (noun === "file" && !id) return file(parsePath(searchParams.get("path"), roots()));
    if (noun === "marks" && !id) return marks(parsePath(searchParams.get("path"), roots()));
    throw new RequestError(404, `There is no ${pathname}.`);
  }

  async function tree(given: string | null) {
    if (given === null) return listRoots(roots());
    const path = parsePath(given, roots());
    const confined = await confine(path, roots());
    if (!confined) throw outside(path);
    watch.noteFolder(path, await readStamp(confined.real));
    return listFolder(path, confined);
  }

  async function file(path: string): Promise<FileText> {
    const text = await readAllowed(path);
    watch.noteText(path, text);
    return text;
  }

  async function marks(path: string) {
    if (!(await confine(path, roots()))) throw outside(path);
    return stored.marks(path);
  }

  async function readAllowed(path: string): Promise<FileText> {
    if (isReviewed(path)) return readFileText(path);
    const confined = await confine(path, roots());
    if (!confined) throw outside(path);
    return readFileText(confined.real, { followLinks: false });
  }

  async function proposalTexts(id: string): Promise<ProposalTexts> {
    const held = store.find(id);
    if (!held) throw new RequestError(404, "This change is not waiting for review any more.");
    const { change } = held;
    const viewed = allViewed.get(id) ?? [];
    const { text: draft, revision, comments } = change;
    const { base: original, newContent: proposed } = change.proposal;
    return { id, original, proposed, ...(draft !== proposed && { draft }), revision, comments, viewed };
  }

  async function storedTexts(list: keyof typeof gone, id: string) {
    const found = await stored[list](id);
    if (!found) throw new RequestError(404, gone[list]);
    return found;
  }

  /** A file's stamp, as far as a page may know it. */
  async function stampOf(path: string): Promise<string | undefined> {
    if (isReviewed(path)) return readStamp(path);
    const confined = whyNoFilePath(path, { roots: roots() }) ? undefined : await confine(path, roots());
    return confined && readStamp(confined.real);
  }

  return { answer, stampOf };
}

const gone = {
  edits: "There are no such recovered edits any more.",
  history: "The texts of this change are not kept any more.",
  written: "This change does not wait any more.",
};

/** @throws RequestError 400 when a path can name no file. */
function parsePath(given: string | null, roots: readonly string[]): string {
  const path = given ?? "";
  const why = whyNoFilePath(path, { roots });
  if (why !== undefined) throw new RequestError(400, `path ${why}.`);
  return path;
}

function outside(path: string): RequestError {
  return new RequestError(403, `${path} lies outside of the folders opened here.`);
}

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
    const code = codeOf(error);
    if (code === "ENOENT") throw new RequestError(404, `There is no folder ${path}.`);
    if (code === "ENOTDIR") throw new RequestError(400, `${path} is a file, not a folder.`);
    const cause = messageOf(error);
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
