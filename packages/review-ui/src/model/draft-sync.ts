/** Brings one proposal's edits to the door. */
export interface DraftSync {
  /** The user has changed the text; `read` gives it when it is needed. */
  edited(read: () => string): void;
  /** Another page's draft, or an echo of ours. @returns whether it is to be shown. */
  received(revision: number, text: string): boolean;
  /** Sends what is unsent. @returns false when there is no door to take it. */
  flush(): boolean;
  /** The connection is gone: what was sent last may not have arrived. */
  disconnected(): void;
  /** The proposal is decided: nothing is sent any more. */
  stop(): void;
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
/** Milliseconds within which a draft may be lost on its way when the connection breaks. */
const timeOnTheWay = 10_000;
/** Drafts of ours whose echo we recognise. */
const rememberedDrafts = 8;

export function createDraftSync(options: DraftSyncOptions): DraftSync {
  let { revision } = options;
  let readText: (() => string) | undefined;
  let isUnsent = false;
  let sentAt = Number.NEGATIVE_INFINITY;
  let sent: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let { size } = options;

  function edited(read: () => string): void {
    readText = read;
    isUnsent = true;
    timer ??= setTimeout(flush, Math.max(pause, size / unitsPerMillisecond));
  }

  function flush(): boolean {
    clearTimeout(timer);
    timer = undefined;
    if (!isUnsent || !readText) return true;
    const text = readText();
    size = text.length;
    if (!options.send(revision, text)) return false;
    isUnsent = false;
    sentAt = Date.now();
    sent = [...sent, text].slice(-rememberedDrafts);
    return true;
  }

  return {
    edited,
    flush,
    received: (newRevision, text) => {
      revision = newRevision;
      if (sent.includes(text)) return false; // our own words: what we show is newer, or the same
      return !isUnsent; // what the user has just typed comes after it, and wins
    },
    disconnected: () => {
      if (readText && Date.now() - sentAt < timeOnTheWay) isUnsent = true;
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      isUnsent = false;
      readText = undefined;
    },
    get isUnsent() {
      return isUnsent;
    },
  };
}
