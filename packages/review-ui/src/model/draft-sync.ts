import type { AnswerTo } from "./api.ts";

export interface DraftSyncOptions {
  /** The last revision seen, and its text. */
  readonly revision: number;
  readonly text: string;
  /** Rejects when the frontend may not have it. */
  readonly send: (revision: number, text: string) => Promise<AnswerTo<"draft">>;
  /** Called when this page's text is refused for another one, which it has not seen. */
  readonly onRefused: (revision: number, text: string) => void;
}

/** Milliseconds between an edit and sending it. */
const pause = 150;
/** Large texts wait longer, because every draft is sent whole: one millisecond for this many UTF-16 units. */
const unitsPerMillisecond = 5000;

/** Sends the edits of one proposal to the frontend. */
export class DraftSync {
  readonly #options: DraftSyncOptions;
  /** The last revision that this page has shown or written, and its text. */
  revision: number;
  base: string;
  /** The frontend may have a text of this page that it has not answered: what others write may contain that. */
  isInDoubt = false;
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
    this.base = options.text;
  }

  /** The frontend does not have all edits yet. */
  get isUnsent(): boolean {
    return this.#hasUnsent || this.#unanswered > 0;
  }

  /** To be called when the user has changed the text. @param read returns it when it is sent */
  edited(read: () => string): void {
    this.#readText = read;
    this.#hasUnsent = true;
    this.#timer ??= setTimeout(
      () => void this.flush(),
      Math.max(pause, this.base.length / unitsPerMillisecond),
    );
  }

  /** Sends unsent edits. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#hasUnsent || !this.#readText) return;
    const text = this.#readText();
    const era = this.#era;
    this.#hasUnsent = false;
    this.#unanswered += 1;
    const answer = await this.#options.send(this.revision, text).catch(() => undefined);
    this.#unanswered -= 1;
    if (era !== this.#era) return;
    this.isInDoubt = !answer;
    if (!answer) {
      this.#hasUnsent = true;
      return;
    }
    const { revision, content, own } = answer;
    if (content === undefined) [this.revision, this.base] = [revision, text];
    else if (own && own.revision > this.revision) [this.revision, this.base] = [own.revision, own.content];
    if (content !== undefined) this.#options.onRefused(revision, content);
  }

  /** The frontend has another text, which this page has merged with its own: its answers to earlier drafts are void. */
  rebased(revision: number, text: string): void {
    [this.revision, this.base] = [revision, text];
    this.stop();
  }

  /** Sends nothing of what was typed until now. */
  stop(): void {
    this.#era += 1;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hasUnsent = false;
    this.#readText = undefined;
  }
}
