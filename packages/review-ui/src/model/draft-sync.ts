/** Brings one proposal's edits to the frontend. */
export interface DraftSync {
  /** The last revision that this page shows, or has written. */
  readonly revision: number;
  /** The user has changed the text; `read` gives it when it is needed. */
  edited(read: () => string): void;
  /** Another page's draft. @returns whether it is to be shown. */
  received(revision: number, text: string): boolean;
  /** The frontend has a draft of ours. */
  taken(revision: number): void;
  /**
   * The frontend has not taken a draft of ours: another page edits, and its text counts.
   * @returns whether there was a text of ours that is nowhere else now.
   */
  refused(revision: number): boolean;
  /** Sends what is unsent. @returns false when there is no frontend to take it. */
  flush(): boolean;
  /** The connection is gone: what was sent last may not have arrived. */
  disconnected(): void;
  /** The proposal is decided: nothing is sent any more. */
  stop(): void;
  /** Something is not with the frontend yet. */
  readonly isUnsent: boolean;
}

export interface DraftSyncOptions {
  /** The last revision seen. */
  readonly revision: number;
  /** UTF-16 units of the draft. */
  readonly size: number;
  readonly send: (revision: number, text: string) => boolean;
}

/** Milliseconds to wait for more typing. */
const pause = 150;
/** More for large texts, whose every draft is sent whole: a millisecond for this many UTF-16 units. */
const unitsPerMillisecond = 5000;

export function createDraftSync(options: DraftSyncOptions): DraftSync {
  let { revision, size } = options;
  let readText: (() => string) | undefined;
  let hasNews = false;
  /** Drafts that the frontend has not answered. */
  let onTheWay = 0;
  /** Of those, the ones that were sent before a refusal: their answers say nothing new. */
  let outdated = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function edited(read: () => string): void {
    readText = read;
    hasNews = true;
    timer ??= setTimeout(flush, Math.max(pause, size / unitsPerMillisecond));
  }

  function flush(): boolean {
    clearTimeout(timer);
    timer = undefined;
    if (!hasNews || !readText) return true;
    const text = readText();
    size = text.length;
    if (!options.send(revision, text)) return false;
    hasNews = false;
    onTheWay += 1;
    return true;
  }

  /** @returns whether the answer is to a draft that still matters. */
  function answered(newRevision: number): boolean {
    onTheWay -= 1;
    const isOutdated = outdated > 0;
    if (isOutdated) outdated -= 1;
    revision = newRevision;
    return !isOutdated;
  }

  function forget(): void {
    clearTimeout(timer);
    timer = undefined;
    hasNews = false;
    readText = undefined;
  }

  return {
    get revision() {
      return revision;
    },
    edited,
    flush,
    received: (newRevision) => {
      // Ours is on its way: the frontend says whether it counts.
      if (hasNews || onTheWay > 0) return false;
      revision = newRevision;
      return true;
    },
    taken: (newRevision) => {
      answered(newRevision);
    },
    refused: (newRevision) => {
      if (!answered(newRevision)) return false;
      outdated = onTheWay;
      forget();
      return true;
    },
    disconnected: () => {
      if (onTheWay > 0 && readText) hasNews = true;
      onTheWay = 0;
      outdated = 0;
    },
    stop: () => {
      forget();
      onTheWay = 0;
    },
    get isUnsent() {
      return hasNews || onTheWay > 0;
    },
  };
}
