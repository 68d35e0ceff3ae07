import { computed, signal } from "@preact/signals";
import type { Comment, PageMessage, ProposalSummary } from "./api.ts";

/** Lines on which the user comments. */
export type CommentedLines = Pick<Comment, "side" | "startLine" | "endLine" | "quote">;

/** Milliseconds between a key and its message to the companion. */
const delay = 200;

/** The user's comments on one proposal in this page. The companion stores them as they are written. */
export type ProposalComments = ReturnType<typeof createProposalComments>;

export function createProposalComments(id: string, send: (message: PageMessage) => boolean) {
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
    /** Those with a text: what a decision sends. */
    written,
    /** The one whose text is being written. */
    open,
    /** What goes with a decision. */
    toDecision: () => (written.value.length > 0 ? { comments: [...written.value] } : {}),
    /** Opens a comment on these lines: the one that there is, or a new one. */
    start: (lines: CommentedLines) => {
      finish();
      const there = list.value.find(
        ({ side, startLine, endLine }) =>
          side === lines.side && startLine === lines.startLine && endLine === lines.endLine,
      );
      const fresh = there ?? { id: crypto.randomUUID(), ...lines, text: "" };
      if (!there) list.value = [...list.value, fresh];
      open.value = fresh.id;
    },
    /** Makes the open comment one on these lines, of the same side. @returns false when none is open */
    extend: (lines: CommentedLines) => {
      const current = list.value.find((one) => one.id === open.value);
      if (current?.side !== lines.side) return false;
      update(current.id, lines);
      return true;
    },
    edit: (commentId: string) => {
      finish();
      open.value = commentId;
    },
    write: (commentId: string, text: string) => update(commentId, { text }),
    /** Closes the open one. Without a text it is gone. */
    finish,
    remove: (commentId: string) => {
      if (open.value === commentId) open.value = undefined;
      removed.add(commentId);
      change(without(list.value));
    },
    /**
     * The text has been edited: where the lines are now.
     * @param isOwnEdit in this page; another one sends where they are for its edits
     */
    moved: (places: ReadonlyMap<string, CommentedLines>, isOwnEdit: boolean) => {
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
    /** As the companion has them, or another page. */
    received,
    /** As the companion has them once it answers again: what was written here meanwhile counts, and is sent. */
    reconnected: (comments: readonly Comment[]) => {
      if (!isOwn) return received(comments);
      const mine = new Set(list.value.map((one) => one.id));
      // What was sent right before the break may not have arrived.
      change([...without(comments).filter((one) => !mine.has(one.id)), ...list.value]);
      flush();
    },
    /** Some of what was written has not been sent. */
    get isUnsent() {
      return isUnsent;
    },
    /** Sends what is not sent yet. */
    flush,
    /** The companion of the proposal has ended: the next one takes care of what was written. */
    keep: (proposal: Pick<ProposalSummary, "agent" | "filePath"> | undefined, reason: string) => {
      if (!proposal || written.value.length === 0) return;
      const { agent, filePath } = proposal;
      send({ type: "keep-comments", agent, filePath, reason, comments: [...written.value] });
    },
  };
}
