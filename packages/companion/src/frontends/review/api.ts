import nodePath from "node:path";
import { confine } from "../../files/confinement.ts";
import { maxPathLength } from "../../files/file-path.ts";
import type { FileText } from "../../files/file-text.ts";
import { readFileText, readStamp } from "../../files/file-text.ts";
import { RequestError } from "./answers.ts";
import type { EditsList } from "./edits-list.ts";
import type { FileIndex } from "./file-index.ts";
import type { FileWatch } from "./file-watch.ts";
import { listFolder, listRoots } from "./folder-tree.ts";
import type { History } from "./history.ts";
import type { ProposalStore } from "./proposal-store.ts";
import type { EditsTexts, HistoryTexts, ProposalTexts } from "./protocol.ts";

export interface ApiSubjects {
  readonly roots: () => readonly string[];
  readonly store: ProposalStore;
  readonly history: History;
  readonly edits: EditsList;
  readonly index: FileIndex;
  readonly watch: FileWatch;
}

/** What the page reads over HTTP. */
export interface Api {
  /**
   * @returns what is to be sent as JSON.
   * @throws RequestError with the status and a sentence.
   */
  answer(url: URL): Promise<unknown>;
  /** A file's stamp, as far as a page may know it. */
  stampOf(path: string): Promise<string | undefined>;
}

export function createApi({ roots, store, history, edits, index, watch }: ApiSubjects): Api {
  /** Files under review or in the history may lie anywhere: an agent named them, the user judges them. */
  const isReviewed = (path: string) => store.holds(path) || history.holds(path);

  async function answer({ pathname, searchParams }: URL): Promise<unknown> {
    const [, , noun = "", id = "", ...rest] = pathname.split("/");
    if (rest.length > 0) throw new RequestError(404, `There is no ${pathname}.`);
    if (noun === "proposals" && id) return proposalTexts(id);
    if (noun === "edits" && id) return editsTexts(id);
    if (noun === "history" && id) return historyTexts(id);
    if (noun === "search" && !id) return index.search(searchParams.get("q") ?? "");
    if (noun === "tree" && !id) return tree(searchParams.get("path"));
    if (noun === "file" && !id) return file(parsePath(searchParams.get("path") ?? ""));
    throw new RequestError(404, `There is no ${pathname}.`);
  }

  async function tree(given: string | null) {
    if (given === null) return listRoots(roots());
    const path = parsePath(given);
    const confined = await confine(path, roots());
    if (!confined) throw outside(path);
    return listFolder(path, confined);
  }

  async function file(path: string): Promise<FileText> {
    const text = await readAllowed(path);
    watch.noteText(path, text);
    return text;
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
    const original = await held.original;
    const diskStamp = await readStamp(held.proposal.filePath);
    const { draft, revision } = held;
    const proposed = held.proposal.newContent;
    return {
      id,
      original,
      proposed,
      ...(draft === proposed ? {} : { draft }),
      revision,
      ...(diskStamp === undefined ? {} : { diskStamp }),
    };
  }

  async function historyTexts(id: string): Promise<HistoryTexts> {
    const found = history.textsOf(id);
    if (!found) throw new RequestError(404, "The texts of this change are not kept any more.");
    return { ...found, onDisk: await readFileText(found.filePath) };
  }

  async function editsTexts(id: string): Promise<EditsTexts> {
    const found = edits.read(id);
    if (!found) throw new RequestError(404, "There are no such recovered edits any more.");
    const { filePath, proposed, text } = found;
    return { filePath, proposed, text, onDisk: await readFileText(filePath) };
  }

  async function stampOf(path: string): Promise<string | undefined> {
    if (isReviewed(path)) return readStamp(path);
    const confined = isUsablePath(path) ? await confine(path, roots()) : undefined;
    return confined && readStamp(confined.real);
  }

  return { answer, stampOf };
}

/** @throws RequestError 400 when a path can name no file. */
function parsePath(path: string): string {
  if (path === "") throw new RequestError(400, "path is missing.");
  if (path.includes("\0")) throw new RequestError(400, "path must not hold a NUL character.");
  if (path.length > maxPathLength) {
    throw new RequestError(400, `path must be at most ${maxPathLength} characters long, got ${path.length}.`);
  }
  if (!nodePath.isAbsolute(path)) {
    throw new RequestError(400, `path must be absolute, got ${JSON.stringify(path)}.`);
  }
  return path;
}

function isUsablePath(path: string): boolean {
  return path.length <= maxPathLength && !path.includes("\0") && nodePath.isAbsolute(path);
}

function outside(path: string): RequestError {
  return new RequestError(403, `${path} lies outside of the folders opened here.`);
}
