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
export class FolderRows {
  readonly #api: Pick<Api, "tree">;
  readonly #roots = signal<readonly TreeEntry[]>([]);
  readonly #contents = signal<ReadonlyMap<string, readonly TreeEntry[]>>(new Map());
  readonly #troubles = signal<ReadonlyMap<string, string>>(new Map());
  readonly openPaths = signal<ReadonlySet<string>>(new Set());
  readonly rows = computed<readonly FolderRow[]>(() => [...this.#walk(this.#roots.value, 1)]);
  #current: Promise<void> | undefined;

  constructor(api: Pick<Api, "tree">) {
    this.#api = api;
  }

  *#walk(entries: readonly TreeEntry[], level: number): Generator<FolderRow> {
    for (const [index, first] of entries.entries()) {
      const { entry, name } = level === 1 ? { entry: first, name: first.name } : this.#followFolders(first);
      const isOpen = this.openPaths.value.has(entry.path);
      const trouble = this.#troubles.value.get(entry.path);
      const position = index + 1;
      const siblings = entries.length;
      yield { entry, name, level, position, siblings, isOpen, ...(trouble === undefined ? {} : { trouble }) };
      if (isOpen) yield* this.#walk(this.#contents.value.get(entry.path) ?? [], level + 1);
    }
  }

  #onlyFolderIn(path: string): TreeEntry | undefined {
    const [only, ...others] = this.#contents.value.get(path) ?? [];
    return only?.kind === "folder" && others.length === 0 ? only : undefined;
  }

  #followFolders(first: TreeEntry): Pick<FolderRow, "entry" | "name"> {
    let [entry, name] = [first, first.name];
    for (;;) {
      const next = this.openPaths.value.has(entry.path) ? this.#onlyFolderIn(entry.path) : undefined;
      if (!next) return { entry, name };
      [entry, name] = [next, `${name}/${next.name}`];
    }
  }

  async #read(path: string): Promise<void> {
    try {
      const entries = await this.#api.tree(path);
      this.#contents.value = new Map(this.#contents.value).set(path, entries);
      this.#troubles.value = new Map([...this.#troubles.value].filter(([known]) => known !== path));
    } catch (error) {
      this.#troubles.value = new Map(this.#troubles.value).set(path, explainError(error));
    }
  }

  async open(path: string): Promise<void> {
    this.openPaths.value = new Set(this.openPaths.value).add(path);
    await this.#read(path);
    const next = this.#roots.value.some((root) => root.path === path) ? undefined : this.#onlyFolderIn(path);
    if (next) await this.open(next.path);
  }

  close(path: string): void {
    this.openPaths.value = new Set([...this.openPaths.value].filter((open) => open !== path));
  }

  /** Unfolds the folders above a file. */
  async reveal(path: string): Promise<void> {
    let level: readonly TreeEntry[] = this.#roots.value;
    for (;;) {
      const above = level.find((entry) => entry.kind === "folder" && isBelow(path, entry.path));
      if (!above) return;
      const isKnown = this.openPaths.value.has(above.path) && this.#contents.value.has(above.path);
      if (!isKnown) await this.open(above.path);
      level = this.#contents.value.get(above.path) ?? [];
    }
  }

  async #readAll(): Promise<void> {
    try {
      const roots = await this.#api.tree();
      const isFirst = this.#roots.value.length === 0;
      this.#roots.value = roots;
      if (isFirst) this.openPaths.value = new Set(roots.map(({ path }) => path));
    } catch {
      return; // disconnected, which the banner shows: the rows stay
    }
    await Promise.all([...this.openPaths.value].map((path) => this.#read(path)));
  }

  /** Reads the roots and every open folder again. */
  refresh(): Promise<void> {
    this.#current = this.#readAll();
    return this.#current;
  }

  /** Something has come to a folder, or has left it. @param isThere whether the folder is there still */
  async changed(path: string, isThere: boolean): Promise<void> {
    await this.#current;
    if (!isThere) this.close(path);
    else if (this.openPaths.value.has(path)) await this.#read(path);
  }
}

/** Whether a path is inside a folder. */
function isBelow(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return /[\\/]$/.test(folder) || /[\\/]/.test(path[folder.length] ?? "");
}
