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
export class DraftSync {
  readonly #send: DraftSyncOptions["send"];
  /** The last revision that this page has shown or written. */
  revision: number;
  #size: number;
  #readText: (() => string) | undefined;
  #hasUnsent = false;
  /** The number of drafts that the frontend has not answered. */
  #unanswered = 0;
  /** How many of those were sent before a refusal. Their answers are ignored. */
  #outdated = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ revision, size, send }: DraftSyncOptions) {
    this.revision = revision;
    this.#size = size;
    this.#send = send;
  }

  /** The frontend does not have all edits yet. */
  get isUnsent(): boolean {
    return this.#hasUnsent || this.#unanswered > 0;
  }

  /** To be called when the user has changed the text. @param read returns it when it is sent */
  edited(read: () => string): void {
    this.#readText = read;
    this.#hasUnsent = true;
    this.#timer ??= setTimeout(() => this.flush(), Math.max(pause, this.#size / unitsPerMillisecond));
  }

  /** Sends unsent edits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#hasUnsent || !this.#readText) return;
    const text = this.#readText();
    this.#size = text.length;
    if (!this.#send(this.revision, text)) return;
    this.#hasUnsent = false;
    this.#unanswered += 1;
  }

  /** The frontend's draft has arrived. @returns whether to show it */
  received(revision: number): boolean {
    // The frontend has not answered our draft yet, or has taken it since it sent this one.
    if (this.isUnsent || revision < this.revision) return false;
    this.revision = revision;
    return true;
  }

  /** The frontend has accepted a draft of this page. @returns whether it was sent after the last refusal */
  acknowledged(revision: number): boolean {
    this.#unanswered -= 1;
    const isOutdated = this.#outdated > 0;
    if (isOutdated) this.#outdated -= 1;
    this.revision = Math.max(this.revision, revision);
    return !isOutdated;
  }

  /**
   * The frontend has refused a draft of this page, because another page edits the proposal.
   * @returns whether this page has text that would be lost
   */
  refused(revision: number): boolean {
    const isLost = this.acknowledged(revision);
    if (isLost) this.#giveUp();
    return isLost;
  }

  /** The frontend has another text, which this page has merged with its own: its answers to earlier drafts are void. */
  rebased(revision: number): void {
    this.revision = revision;
    this.#giveUp();
  }

  /** The connection is lost, and the last draft may not have arrived. */
  disconnected(): void {
    if (this.#unanswered > 0 && this.#readText) this.#hasUnsent = true;
    this.#unanswered = 0;
    this.#outdated = 0;
  }

  /** Sends nothing more, because the proposal is decided. */
  stop(): void {
    this.#giveUp();
    this.#unanswered = 0;
  }

  #giveUp(): void {
    this.#outdated = this.#unanswered;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hasUnsent = false;
    this.#readText = undefined;
  }
}
