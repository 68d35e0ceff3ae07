import type { FileText } from "../../files/file-text.ts";
import { readStamp } from "../../files/file-text.ts";

/** Stamps that are remembered, also of files that nobody watches any more: a change while nobody looked is reported. */
const maxRemembered = 10_000;

/** Files and folders one page may watch. */
const maxWatched = 500;

export interface FileWatchOptions {
  readonly onChange: (path: string, stamp: string | undefined, owners: readonly object[]) => void;
  /** @returns undefined when the file is not there, or not to be read by a page. */
  readonly stampOf?: (path: string) => Promise<string | undefined>;
  /** Milliseconds. */
  readonly interval?: number;
}

export type FileWatch = ReturnType<typeof createFileWatch>;

/**
 * Notices changes of files, and of what folders hold, by looking at them once a second: unlike the system's own watching this sees a
 * file replaced by a rename, on every platform and network drive, for as many files as a user has tabs.
 */
export function createFileWatch({ onChange, stampOf = readStamp, interval = 1000 }: FileWatchOptions) {
  const watched = new Map<object, ReadonlySet<string>>();
  const stamps = new Map<string, string | undefined>();
  let timer: NodeJS.Timeout | undefined;

  const ownersOf = (path: string) =>
    [...watched].flatMap(([owner, paths]) => (paths.has(path) ? [owner] : []));

  function seen(path: string, stamp: string | undefined): void {
    const isNews = stamps.has(path) && stamps.get(path) !== stamp;
    stamps.delete(path); // the newest goes last, the oldest is forgotten first
    stamps.set(path, stamp);
    const owners = ownersOf(path);
    if (isNews && owners.length > 0) onChange(path, stamp, owners);
    const [oldest] = stamps.keys();
    if (stamps.size > maxRemembered && oldest !== undefined) stamps.delete(oldest);
  }

  async function look(): Promise<void> {
    const paths = new Set([...watched.values()].flatMap((own) => [...own]));
    await Promise.all([...paths].map(async (path) => seen(path, await stampOf(path))));
  }

  function schedule(): void {
    if (timer || watched.size === 0) return;
    timer = setTimeout(async () => {
      await look();
      timer = undefined;
      schedule();
    }, interval).unref();
  }

  return {
    /** Replaces what somebody wants to hear of. */
    watch: (owner: object, paths: readonly string[]) => {
      watched.set(owner, new Set(paths.slice(0, maxWatched)));
      schedule();
    },
    forget: (owner: object) => watched.delete(owner),
    /** A page is being given this text of the file: the next change is reported against it. */
    noteText: (path: string, text: FileText) => {
      if ("stamp" in text) seen(path, text.stamp);
      else if (text.kind === "missing") seen(path, undefined);
    },
    /** Likewise what a folder holds. */
    noteFolder: seen,
  };
}
