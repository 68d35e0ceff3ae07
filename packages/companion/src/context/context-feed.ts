import type { IdeContext } from "../contract/context.ts";
import type { EditorContext } from "../editor.ts";
import { toIdeContext } from "./ide-context.ts";

/** Quiet time after the last change before it is told, in milliseconds. */
const debounce = 50;
/** The longest that a change waits while others keep coming, in milliseconds. */
const maxWait = 100;
/** How often the files that have been told are looked for on disk, in milliseconds. */
const vanishedCheck = 2000;

/** What the user is looking at now: who subscribes gets every change, bounded in size and in rate. */
export interface ContextFeed {
  /** The state as last told. */
  readonly current: IdeContext;
  update(context: EditorContext): void;
  /** Calls back with each new state; never twice in a row with the same. */
  subscribe(listener: (context: IdeContext) => void): () => void;
  close(): void;
}

export interface ContextFeedOptions {
  /** The editor's notion of trust; left out when it has none. */
  readonly trusted?: () => boolean;
  /** Whether a path is a file on disk. */
  readonly exists?: (path: string) => boolean;
}

export function createContextFeed({ trusted, exists }: ContextFeedOptions = {}): ContextFeed {
  const listeners = new Set<(context: IdeContext) => void>();
  const toTell = (context: EditorContext) =>
    toIdeContext(context, { trusted: trusted?.(), ...(exists && { exists }) });
  let latest: EditorContext = { files: [] };
  let current = toTell(latest);
  let told = JSON.stringify(current);
  let timer: NodeJS.Timeout | undefined;
  let firstChange = 0;
  let lastTold = Number.NEGATIVE_INFINITY;

  function tell() {
    timer = undefined;
    lastTold = performance.now();
    const next = toTell(latest);
    const text = JSON.stringify(next);
    if (text === told) return;
    told = text;
    current = next;
    for (const listener of listeners) listener(next);
  }

  // A file deleted outside of the editor leaves although the editor reports nothing.
  const vanished = setInterval(() => {
    if (listeners.size > 0 && !timer) tell();
  }, vanishedCheck).unref();

  return {
    get current() {
      return current;
    },
    update(context) {
      latest = context;
      const now = performance.now();
      if (timer) clearTimeout(timer);
      // While changes go on, the wait counts from the last time: one telling each 100 ms.
      else firstChange = now - lastTold < maxWait ? lastTold : now;
      // A trailing debounce alone would starve while the user keeps moving.
      timer = setTimeout(tell, Math.max(0, Math.min(debounce, firstChange + maxWait - now)));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      clearInterval(vanished);
      listeners.clear();
    },
  };
}
