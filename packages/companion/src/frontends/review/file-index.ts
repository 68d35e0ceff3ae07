import { readdir, realpath } from "node:fs/promises";
import nodePath from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { enterFolder, type IgnoreScope, isIgnored, openIgnoreScope } from "../../files/ignore-scope.ts";
import { safeName } from "../../files/safe-text.ts";
import { isInside, relativeLabel } from "../../files/workspace-path.ts";
import { type FuzzyPath, fuzzyScore, toFuzzyPath, toFuzzyQuery } from "./fuzzy-match.ts";
import type { SearchHit } from "./protocol.ts";

const maxFiles = 200_000;
const maxHits = 200;
const maxQueryLength = 200;

/** After this the folders are walked again: so many times as long as the last walk took, but no more milliseconds. */
const freshFor = { walks: 20, most: 4000 };

/** Milliseconds a search waits for a first walk, and for a later one, before it answers from what there is. */
const patience = { first: 2000, later: 100 };

interface IndexedFile {
  readonly root: string;
  /** From the root. */
  readonly relative: string;
  readonly fuzzy: FuzzyPath;
}

export type FileIndex = ReturnType<typeof createFileIndex>;

/**
 * The names of all files in the roots, walked when first asked for and again when they may have changed.
 * @param now milliseconds
 */
export function createFileIndex(roots: () => readonly string[], now = () => performance.now()) {
  let files: IndexedFile[] = [];
  let freshUntil: number | undefined;
  let walking: { readonly done: Promise<void> } | undefined;
  let generation = 0;

  async function walk(): Promise<void> {
    const own = generation;
    const began = now();
    const found: IndexedFile[] = [];
    // The first time, what has been found so far is better than nothing.
    if (freshUntil === undefined) files = found;
    for await (const file of walkRoots(roots())) {
      if (own !== generation) return;
      if (found.push(file) >= maxFiles) break;
      if (found.length % batch === 0) await nextTurn();
    }
    if (own !== generation) return;
    files = found;
    freshUntil = now() + Math.min(freshFor.walks * (now() - began), freshFor.most);
  }

  function refresh(): Promise<void> {
    walking ??= { done: walk() };
    const current = walking;
    void current.done.finally(() => {
      if (walking === current) walking = undefined;
    });
    return current.done;
  }

  const refreshWithin = (milliseconds: number) =>
    Promise.race([refresh(), wait(milliseconds, undefined, { ref: false })]);

  return {
    search: async (query: string): Promise<SearchHit[]> => {
      const wanted = toFuzzyQuery(query.slice(0, maxQueryLength));
      if (wanted === "") return [];
      if (freshUntil === undefined) await refreshWithin(patience.first);
      else if (now() > freshUntil) await refreshWithin(patience.later);
      return bestHits(files, wanted, roots());
    },
    /** The roots are others now, or nobody needs the index any more. */
    forget: () => {
      generation += 1;
      files = [];
      freshUntil = undefined;
      walking = undefined;
    },
  };
}

async function* walkRoots(roots: readonly string[]): AsyncGenerator<IndexedFile> {
  for (const root of outermost(roots)) {
    const real = await realpath(root).catch(() => undefined); // removed meanwhile: there is nothing in it
    if (real === undefined) continue;
    const folders = [{ relative: "", scope: await openIgnoreScope(real, real) }];
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      const { files, below } = await readFolder(folder.scope);
      for (const name of files) {
        const relative = nodePath.join(folder.relative, name);
        yield { root, relative, fuzzy: toFuzzyPath(relativeLabel(root, relative, roots)) };
      }
      for (const name of below) {
        const relative = nodePath.join(folder.relative, name);
        folders.push({ relative, scope: await enterFolder(folder.scope, name) });
      }
    }
  }
}

/** The names of a folder's files and subfolders that git does not ignore; links are not followed. */
async function readFolder(scope: IgnoreScope): Promise<{ files: string[]; below: string[] }> {
  const files: string[] = [];
  const below: string[] = [];
  const entries = await readdir(scope.folder, { withFileTypes: true }).catch(() => []); // not ours to read, or gone
  for (const entry of entries) {
    const isFolder = entry.isDirectory();
    if (entry.name === ".git" || isIgnored(scope, entry.name, isFolder)) continue;
    (isFolder ? below : files).push(entry.name);
  }
  return { files, below };
}

/** A root within another one would list its files twice. */
function outermost(roots: readonly string[]): string[] {
  return roots.filter((root) => !roots.some((other) => other !== root && isInside(root, other)));
}

async function bestHits(
  files: readonly IndexedFile[],
  query: string,
  roots: readonly string[],
): Promise<SearchHit[]> {
  let hits: Scored[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const [index, file] of files.entries()) {
    if (index % batch === 0) await nextTurn();
    const score = fuzzyScore(query, file.fuzzy);
    if (score !== undefined && score > least) hits.push({ file, score });
    if (hits.length >= 4 * maxHits) {
      hits = hits.sort(byScore).slice(0, maxHits);
      least = hits.at(-1)?.score ?? least;
    }
  }
  const best = hits.sort(byScore).slice(0, maxHits);
  return best.map(({ file: { root, relative } }) => ({
    path: nodePath.join(root, relative),
    label: safeName(relativeLabel(root, relative, roots)),
  }));
}

interface Scored {
  readonly file: IndexedFile;
  readonly score: number;
}

/** Equals by name, so that the order does not change from one walk to the next. */
function byScore(one: Scored, other: Scored): number {
  return other.score - one.score || (one.file.relative < other.file.relative ? -1 : 1);
}

/** Files between two turns of the others: a few milliseconds of work. */
const batch = 2000;

const nextTurn = () => new Promise(setImmediate);
