import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Comment, PageMessage, ProposalSummary } from "./api.ts";

/** Lines on which the user comments. */
export type CommentedLines = Pick<Comment, "side" | "startLine" | "endLine" | "quote">;

/** The user's comments on one proposal in this page. The companion stores them as they are written. */
export interface ProposalComments {
  readonly list: ReadonlySignal<readonly Comment[]>;
  /** Those with a text: what a decision sends. */
  readonly written: ReadonlySignal<readonly Comment[]>;
  /** What goes with a decision. */
  toDecision(): { comments?: Comment[] };
  /** The one whose text is being written. */
  readonly open: ReadonlySignal<string | undefined>;
  /** Opens a comment on these lines: the one that there is, or a new one. */
  start(lines: CommentedLines): void;
  /** Makes the open comment one on these lines, of the same side. @returns false when none is open */
  extend(lines: CommentedLines): boolean;
  edit(id: string): void;
  write(id: string, text: string): void;
  /** Closes the open one. Without a text it is gone. */
  finish(): void;
  remove(id: string): void;
  /**
   * The text has been edited: where the lines are now.
   * @param isOwnEdit in this page; another one sends where they are for its edits
   */
  moved(places: ReadonlyMap<string, CommentedLines>, isOwnEdit: boolean): void;
  /** As the companion has them, or another page. */
  received(comments: readonly Comment[]): void;
  /** As the companion has them once it answers again: what was written here meanwhile counts, and is sent. */
  reconnected(comments: readonly Comment[]): void;
  /** Some of what was written has not been sent. */
  readonly isUnsent: boolean;
  /** Sends what is not sent yet. */
  flush(): void;
  /** The companion of the proposal has ended: the next one takes care of what was written. */
  keep(proposal: Pick<ProposalSummary, "agent" | "filePath"> | undefined, reason: string): void;
}

/** Milliseconds between a key and its message to the companion. */
const delay = 200;

export function createProposalComments(
  id: string,
  send: (message: PageMessage) => boolean,
): ProposalComments {
  const list = signal<readonly Comment[]>([]);
  const open = signal<string | undefined>(undefined);
  const written = computed(() => list.value.filter(({ text }) => text.trim() !== ""));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isUnsent = false;
  /** Ids of those that were written here and not sent. */
  const unsent = new Set<string>();
  /** Something was written in this page. */
  let isOwn = false;
  /** Ids of those that are gone here. The companion, or another page, may not have heard of it. */
  const removed = new Set<string>();

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isUnsent || !send({ type: "comments", id, comments: [...written.value] })) return;
    isUnsent = false;
    unsent.clear();
  }

  function change(next: readonly Comment[]): void {
    for (const one of next) if (!list.value.includes(one)) unsent.add(one.id);
    list.value = next;
    isUnsent = true;
    isOwn = true;
    timer ??= setTimeout(flush, delay);
  }

  const update = (commentId: string, news: Partial<Comment>) =>
    change(list.value.map((one) => (one.id === commentId ? { ...one, ...news } : one)));

  const without = (comments: readonly Comment[]) => comments.filter((one) => !removed.has(one.id));

  function finish(): void {
    const current = list.value.find((one) => one.id === open.value);
    open.value = undefined;
    if (current?.text.trim() !== "") return;
    removed.add(current.id);
    list.value = without(list.value);
  }

  function received(comments: readonly Comment[]): void {
    const own = list.value.filter((one) => one.id === open.value || unsent.has(one.id));
    const others = without(comments).filter((one) => !own.some((mine) => mine.id === one.id));
    // What is being written here, or was a moment ago, counts here.
    list.value = [...others, ...own];
  }

  return {
    list,
    written,
    open,
    toDecision: () => (written.value.length > 0 ? { comments: [...written.value] } : {}),
    start: (lines) => {
      finish();
      const there = list.value.find(
        ({ side, startLine, endLine }) =>
          side === lines.side && startLine === lines.startLine && endLine === lines.endLine,
      );
      const fresh = there ?? { id: crypto.randomUUID(), ...lines, text: "" };
      if (!there) list.value = [...list.value, fresh];
      open.value = fresh.id;
    },
    extend: (lines) => {
      const current = list.value.find((one) => one.id === open.value);
      if (current?.side !== lines.side) return false;
      update(current.id, lines);
      return true;
    },
    edit: (commentId) => {
      finish();
      open.value = commentId;
    },
    write: (commentId, text) => update(commentId, { text }),
    finish,
    remove: (commentId) => {
      if (open.value === commentId) open.value = undefined;
      removed.add(commentId);
      change(without(list.value));
    },
    moved: (places, isOwnEdit) => {
      const next = list.value.map((one) => ({ ...one, ...places.get(one.id) }));
      const isSame = next.every((one, index) => {
        const before = list.value[index];
        return (
          one.startLine === before?.startLine && one.endLine === before.endLine && one.quote === before.quote
        );
      });
      if (isSame) return;
      if (isOwnEdit) change(next);
      else list.value = next;
    },
    received,
    reconnected: (comments) => {
      if (!isOwn) return received(comments);
      const mine = new Set(list.value.map((one) => one.id));
      // What was sent right before the break may not have arrived.
      change([...without(comments).filter((one) => !mine.has(one.id)), ...list.value]);
      flush();
    },
    get isUnsent() {
      return isUnsent;
    },
    flush,
    keep: (proposal, reason) => {
      if (!proposal || written.value.length === 0) return;
      const { agent, filePath } = proposal;
      send({ type: "keep-comments", agent, filePath, reason, comments: [...written.value] });
    },
  };
}
