import { computed, signal } from "@preact/signals";
import type { Translate } from "../language/language.ts";
import type { Comment, PageMessage, ProposalSummary } from "./api.ts";

/** Lines on which the user comments. */
export type CommentedLines = Pick<Comment, "side" | "startLine" | "endLine" | "quote">;

/** The place of a comment on all of the change. */
const all: CommentedLines = { side: "proposed", startLine: 0, endLine: 0, quote: "" };

/** What a comment is on, for people. */
export function placeOf(
  t: Translate,
  { startLine, endLine }: Pick<Comment, "startLine" | "endLine">,
): string {
  if (startLine === 0) return t("Comment on the change");
  return endLine > startLine
    ? t("Comment on lines $1–$2", startLine, endLine)
    : t("Comment on line $1", startLine);
}

/** Milliseconds between a key and its message to the companion. */
const delay = 200;

/** The user's comments on one proposal in this page. The companion stores them as they are written. */
export class ProposalComments {
  readonly #id: string;
  readonly #send: (message: PageMessage) => boolean;
  readonly list = signal<readonly Comment[]>([]);
  /** Those with a text: what a decision sends. */
  readonly written = computed(() => this.list.value.filter(({ text }) => text.trim() !== ""));
  /** The one whose text is being written. */
  readonly open = signal<string | undefined>(undefined);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Some of what was written has not been sent. */
  isUnsent = false;
  /** Ids of those that were written here and not sent. */
  readonly #unsent = new Set<string>();
  /** Something was written in this page. */
  #isOwn = false;
  /** Ids of those that are gone here. The companion, or another page, may not have heard of it. */
  readonly #removed = new Set<string>();

  constructor(id: string, send: (message: PageMessage) => boolean) {
    this.#id = id;
    this.#send = send;
  }

  /** Sends what is not sent yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.isUnsent || !this.#send({ type: "comments", id: this.#id, comments: [...this.written.value] }))
      return;
    this.isUnsent = false;
    this.#unsent.clear();
  }

  #change(next: readonly Comment[]): void {
    for (const one of next) if (!this.list.value.includes(one)) this.#unsent.add(one.id);
    this.list.value = next;
    this.isUnsent = true;
    this.#isOwn = true;
    this.#timer ??= setTimeout(() => this.flush(), delay);
  }

  #update(commentId: string, news: Partial<Comment>): void {
    this.#change(this.list.value.map((one) => (one.id === commentId ? { ...one, ...news } : one)));
  }

  #without(comments: readonly Comment[]): readonly Comment[] {
    return comments.filter((one) => !this.#removed.has(one.id));
  }

  #current(): Comment | undefined {
    return this.list.value.find((one) => one.id === this.open.value);
  }

  /** That on all of the change. */
  readonly onAll = computed(() => this.list.value.find(({ startLine }) => startLine === 0));

  /** Opens a comment on these lines, or on all of the change: the one that there is, or a new one. */
  start(lines = all): void {
    this.finish();
    const there = this.list.value.find(
      ({ side, startLine, endLine }) =>
        side === lines.side && startLine === lines.startLine && endLine === lines.endLine,
    );
    const fresh = there ?? { id: crypto.randomUUID(), ...lines, text: "" };
    if (!there) this.list.value = [...this.list.value, fresh];
    this.open.value = fresh.id;
  }

  /** Makes the open comment one on these lines, of the same side. @returns false when none is open */
  extend(lines: CommentedLines): boolean {
    const current = this.#current();
    if (current?.side !== lines.side) return false;
    this.#update(current.id, lines);
    return true;
  }

  edit(commentId: string): void {
    this.finish();
    this.open.value = commentId;
  }

  write(commentId: string, text: string): void {
    this.#update(commentId, { text });
  }

  /** Closes the open one. Without a text it is gone. */
  finish(): void {
    const current = this.#current();
    this.open.value = undefined;
    if (current?.text.trim() !== "") return;
    this.#removed.add(current.id);
    this.list.value = this.#without(this.list.value);
  }

  remove(commentId: string): void {
    if (this.open.value === commentId) this.open.value = undefined;
    this.#removed.add(commentId);
    this.#change(this.#without(this.list.value));
  }

  /**
   * The text has been edited: where the lines are now.
   * @param isOwnEdit in this page; another one sends where they are for its edits
   */
  moved(places: ReadonlyMap<string, CommentedLines>, isOwnEdit: boolean): void {
    const next = this.list.value.map((one) => ({ ...one, ...places.get(one.id) }));
    const isSame = next.every(({ startLine, endLine, quote }, index) => {
      const before = this.list.value[index];
      return startLine === before?.startLine && endLine === before.endLine && quote === before.quote;
    });
    if (isSame) return;
    if (isOwnEdit) this.#change(next);
    else this.list.value = next;
  }

  /** As the companion has them, or another page. */
  received(comments: readonly Comment[]): void {
    const own = this.list.value.filter((one) => one.id === this.open.value || this.#unsent.has(one.id));
    const others = this.#without(comments).filter((one) => !own.some((mine) => mine.id === one.id));
    // What is being written here, or was a moment ago, counts here.
    this.list.value = [...others, ...own];
  }

  /** As the companion has them once it answers again: what was written here meanwhile counts, and is sent. */
  reconnected(comments: readonly Comment[]): void {
    if (!this.#isOwn) {
      this.received(comments);
      return;
    }
    const mine = new Set(this.list.value.map((one) => one.id));
    // What was sent right before the break may not have arrived.
    this.#change([...this.#without(comments).filter((one) => !mine.has(one.id)), ...this.list.value]);
    this.flush();
  }

  /** The companion of the proposal has ended: the next one takes care of what was written. */
  keep(proposal: Pick<ProposalSummary, "agent" | "filePath"> | undefined, reason: string): void {
    if (!proposal || this.written.value.length === 0) return;
    const { agent, filePath } = proposal;
    this.#send({ type: "keep-comments", agent, filePath, reason, comments: [...this.written.value] });
  }
}
