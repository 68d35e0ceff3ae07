export interface DraftSyncOptions {
  /** The last revision seen. */
  readonly revision: number;
  /** The length of the draft, in UTF-16 units. */
  readonly size: number;
  readonly send: (revision: number, text: string) => boolean;
}

/** Milliseconds between an edit and sending it. */
const pause = 150;
/** Large texts wait longer, because every draft is sent whole: one millisecond for this many UTF-16 units. */
const unitsPerMillisecond = 5000;

/** Sends the edits of one proposal to the frontend. */
export type DraftSync = ReturnType<typeof createDraftSync>;

export function createDraftSync(options: DraftSyncOptions) {
  let { revision, size } = options;
  let readText: (() => string) | undefined;
  let hasUnsent = false;
  /** The number of drafts that the frontend has not answered. */
  let unanswered = 0;
  /** How many of those were sent before a refusal. Their answers are ignored. */
  let outdated = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function edited(read: () => string): void {
    readText = read;
    hasUnsent = true;
    timer ??= setTimeout(flush, Math.max(pause, size / unitsPerMillisecond));
  }

  function flush(): boolean {
    clearTimeout(timer);
    timer = undefined;
    if (!hasUnsent || !readText) return true;
    const text = readText();
    size = text.length;
    if (!options.send(revision, text)) return false;
    hasUnsent = false;
    unanswered += 1;
    return true;
  }

  /** @returns whether the answer is to a draft that was sent after the last refusal */
  function answered(newRevision: number): boolean {
    unanswered -= 1;
    const isOutdated = outdated > 0;
    if (isOutdated) outdated -= 1;
    revision = Math.max(revision, newRevision);
    return !isOutdated;
  }

  function forget(): void {
    clearTimeout(timer);
    timer = undefined;
    hasUnsent = false;
    readText = undefined;
  }

  return {
    /** The last revision that this page has shown or written. */
    get revision() {
      return revision;
    },
    /** To be called when the user has changed the text. `read` returns it when it is sent. */
    edited,
    /** Sends unsent edits. @returns false when there is no connection */
    flush,
    /** The frontend's draft has arrived. @returns whether to show it */
    received: (newRevision: number) => {
      // The frontend has not answered our draft yet, or has taken it since it sent this one.
      if (hasUnsent || unanswered > 0 || newRevision < revision) return false;
      revision = newRevision;
      return true;
    },
    /** The frontend has accepted a draft of this page. */
    acknowledged: (newRevision: number) => {
      answered(newRevision);
    },
    /** The frontend has another text, which this page has merged with its own: its answers to earlier drafts are void. */
    rebased: (newRevision: number) => {
      revision = newRevision;
      outdated = unanswered;
      forget();
    },
    /**
     * The frontend has refused a draft of this page, because another page edits the proposal.
     * @returns whether this page has text that would be lost
     */
    refused: (newRevision: number) => {
      if (!answered(newRevision)) return false;
      outdated = unanswered;
      forget();
      return true;
    },
    /** The connection is lost, and the last draft may not have arrived. */
    disconnected: () => {
      if (unanswered > 0 && readText) hasUnsent = true;
      unanswered = 0;
      outdated = 0;
    },
    /** Sends nothing more, because the proposal is decided. */
    stop: () => {
      forget();
      unanswered = 0;
    },
    /** The frontend does not have all edits yet. */
    get isUnsent() {
      return hasUnsent || unanswered > 0;
    },
  };
}
