import { computed, signal } from "@preact/signals";
import { type Api, explainError, type TreeEntry } from "./api.ts";

/** One visible row of the tree. */
export interface FolderRow {
  /** The last one of several folders, each of which holds nothing but the next one. */
  readonly entry: TreeEntry;
  /** Their names. */
  readonly name: string;
  /** 1 for a root. */
  readonly level: number;
  /** 1-based, among its siblings. */
  readonly position: number;
  readonly siblings: number;
  readonly isOpen: boolean;
  /** Why the folder's content is not shown. */
  readonly trouble?: string;
}

/** The rows of the unfolded folders. A folder is read when it is unfolded. */
export function createFolderRows(api: Pick<Api, "tree">) {
  const roots = signal<readonly TreeEntry[]>([]);
  const contents = signal<ReadonlyMap<string, readonly TreeEntry[]>>(new Map());
  const troubles = signal<ReadonlyMap<string, string>>(new Map());
  const openPaths = signal<ReadonlySet<string>>(new Set());

  function* walk(entries: readonly TreeEntry[], level: number): Generator<FolderRow> {
    for (const [index, first] of entries.entries()) {
      const { entry, name } = level === 1 ? { entry: first, name: first.name } : followFolders(first);
      const isOpen = openPaths.value.has(entry.path);
      const trouble = troubles.value.get(entry.path);
      const position = index + 1;
      const siblings = entries.length;
      yield { entry, name, level, position, siblings, isOpen, ...(trouble === undefined ? {} : { trouble }) };
      if (isOpen) yield* walk(contents.value.get(entry.path) ?? [], level + 1);
    }
  }

  function onlyFolderIn(path: string): TreeEntry | undefined {
    const [only, ...others] = contents.value.get(path) ?? [];
    return only?.kind === "folder" && others.length === 0 ? only : undefined;
  }

  function followFolders(first: TreeEntry): Pick<FolderRow, "entry" | "name"> {
    let [entry, name] = [first, first.name];
    for (;;) {
      const next = openPaths.value.has(entry.path) ? onlyFolderIn(entry.path) : undefined;
      if (!next) return { entry, name };
      [entry, name] = [next, `${name}/${next.name}`];
    }
  }

  async function read(path: string): Promise<void> {
    try {
      const entries = await api.tree(path);
      contents.value = new Map(contents.value).set(path, entries);
      troubles.value = new Map([...troubles.value].filter(([known]) => known !== path));
    } catch (error) {
      troubles.value = new Map(troubles.value).set(path, explainError(error));
    }
  }

  async function open(path: string): Promise<void> {
    openPaths.value = new Set(openPaths.value).add(path);
    await read(path);
    const next = roots.value.some((root) => root.path === path) ? undefined : onlyFolderIn(path);
    if (next) await open(next.path);
  }

  function close(path: string): void {
    openPaths.value = new Set([...openPaths.value].filter((open) => open !== path));
  }

  /** Unfolds the folders above a file. */
  async function reveal(path: string): Promise<void> {
    let level: readonly TreeEntry[] = roots.value;
    for (;;) {
      const above = level.find((entry) => entry.kind === "folder" && isBelow(path, entry.path));
      if (!above) return;
      if (!openPaths.value.has(above.path) || !contents.value.has(above.path)) await open(above.path);
      level = contents.value.get(above.path) ?? [];
    }
  }

  async function readAll(): Promise<void> {
    try {
      const isFirst = roots.value.length === 0;
      roots.value = await api.tree();
      if (isFirst) openPaths.value = new Set(roots.value.map(({ path }) => path));
    } catch {
      return; // disconnected, which the banner shows: the rows stay
    }
    await Promise.all([...openPaths.value].map(read));
  }

  let current: Promise<void> | undefined;
  let following: Promise<void> | undefined;

  /** Reads the roots and every open folder again. Calls during a refresh share the one that follows it. */
  function refresh(): Promise<void> {
    if (current) {
      following ??= current.then(() => {
        following = undefined;
        return refresh();
      });
      return following;
    }
    current = readAll().finally(() => {
      current = undefined;
    });
    return current;
  }

  return {
    rows: computed(() => [...walk(roots.value, 1)]),
    openPaths,
    refresh,
    /** Something has come to a folder, or has left it. @param isThere whether the folder is there still */
    changed: async (path: string, isThere: boolean) => {
      await current;
      if (!isThere) close(path);
      else if (openPaths.value.has(path)) await read(path);
    },
    open,
    reveal,
    close,
  };
}

/** Whether a path is inside a folder. */
function isBelow(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return /[\\/]$/.test(folder) || /[\\/]/.test(path[folder.length] ?? "");
}
