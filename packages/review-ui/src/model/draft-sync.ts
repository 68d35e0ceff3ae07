import type { AnswerTo } from "./api.ts";

export interface DraftSyncOptions {
  /** The last revision seen. */
  readonly revision: number;
  /** The length of the draft, in UTF-16 units. */
  readonly size: number;
  /** Rejects when the frontend may not have it. */
  readonly send: (revision: number, text: string) => Promise<AnswerTo<"draft">>;
  /** Called when this page's text is refused, because another page edits the proposal: with that page's text. */
  readonly onRefused: (text: string) => void;
}

/** Milliseconds between an edit and sending it. */
const pause = 150;
/** Large texts wait longer, because every draft is sent whole: one millisecond for this many UTF-16 units. */
const unitsPerMillisecond = 5000;

/** Sends the edits of one proposal to the frontend. */
export class DraftSync {
  readonly #options: DraftSyncOptions;
  /** The last revision that this page has shown or written. */
  revision: number;
  #size: number;
  #readText: (() => string) | undefined;
  #hasUnsent = false;
  /** The number of drafts that the frontend has not answered. */
  #unanswered = 0;
  /** Counts the times at which all that was sent became void. */
  #era = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: DraftSyncOptions) {
    this.#options = options;
    this.revision = options.revision;
    this.#size = options.size;
  }

  /** The frontend does not have all edits yet. */
  get isUnsent(): boolean {
    return this.#hasUnsent || this.#unanswered > 0;
  }

  /** To be called when the user has changed the text. @param read returns it when it is sent */
  edited(read: () => string): void {
    this.#readText = read;
    this.#hasUnsent = true;
    this.#timer ??= setTimeout(() => void this.flush(), Math.max(pause, this.#size / unitsPerMillisecond));
  }

  /** Sends unsent edits. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#hasUnsent || !this.#readText) return;
    const text = this.#readText();
    const era = this.#era;
    this.#size = text.length;
    this.#hasUnsent = false;
    this.#unanswered += 1;
    const answer = await this.#options.send(this.revision, text).catch(() => undefined);
    this.#unanswered -= 1;
    this.revision = Math.max(this.revision, answer?.revision ?? 0);
    if (era !== this.#era) return;
    if (!answer) this.#hasUnsent = true;
    if (answer?.content === undefined) return;
    this.#giveUp();
    this.#options.onRefused(answer.content);
  }

  /** The frontend's draft has arrived. @returns whether to show it */
  received(revision: number): boolean {
    // The frontend has not answered our draft yet, or has taken it since it sent this one.
    if (this.isUnsent || revision < this.revision) return false;
    this.revision = revision;
    return true;
  }

  /** The frontend has another text, which this page has merged with its own: its answers to earlier drafts are void. */
  rebased(revision: number): void {
    this.revision = revision;
    this.#giveUp();
  }

  /** Sends nothing more, because the proposal is decided. */
  stop(): void {
    this.#giveUp();
  }

  #giveUp(): void {
    this.#era += 1;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hasUnsent = false;
    this.#readText = undefined;
  }
}
