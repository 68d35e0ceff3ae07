import {
  type DraftHead,
  DraftRecord,
  RecordStore,
  type RecordStoreOptions,
} from "../../system/record-store.ts";
import type { Comment, Decision, Proposal } from "../editor.ts";
import type { CommentedOutcome, Comments, CommentsRecord, RecoveredComments } from "./comment.ts";
import { byPlace } from "./message.ts";

/** What users write about proposals, until an agent has it. */
export class CommentsStore
  extends RecordStore<CommentsRecord, CommentsRecord, CommentsDraft>
  implements Comments
{
  constructor(options: RecordStoreOptions<CommentsRecord, CommentsRecord>) {
    super(options, ({ filePath }) => `Your comments on ${filePath}`);
  }

  list(): readonly RecoveredComments[] {
    return this.waiting().map(({ owner: _, ...comments }) => comments);
  }

  add({ filePath, agent, reason, comments }: Parameters<Comments["add"]>[0]): void {
    const ids = new Set(comments.map(({ id }) => id));
    const saved = this.list().filter(
      (one) =>
        one.filePath === filePath && one.agent === agent && one.comments.every(({ id }) => ids.has(id)),
    );
    const draft = this.draftOf({ filePath, agent });
    draft.save(comments);
    draft.recover(reason, saved[0]?.outcome);
    for (const { id } of saved) this.discard(id);
  }

  /** The comments on a proposal that is opened now: none yet. */
  draftOf(proposal: Pick<Proposal, "filePath" | "agent">): CommentsDraft {
    const draft = new CommentsDraft(proposal, this);
    this.drafts.add(draft);
    return draft;
  }

  /** The companion ends: what no agent has received waits for its user. */
  override close(): void {
    for (const draft of this.drafts) {
      draft.recover("The companion stopped before the agent had your comments.");
    }
    super.close();
  }
}

/** The comments on one proposal, from the first letter until an agent has them or their user knows of them. */
export class CommentsDraft {
  readonly #proposal: Pick<Proposal, "filePath" | "agent">;
  readonly #store: CommentsStore;
  readonly #record: DraftRecord<CommentsRecord>;
  #comments: readonly Comment[] = [];
  #outcome: CommentedOutcome | undefined;
  /** Why they wait for their user, once they do. */
  #recovery: string | undefined;

  constructor(proposal: Pick<Proposal, "filePath" | "agent">, store: CommentsStore) {
    this.#proposal = proposal;
    this.#store = store;
    this.#record = new DraftRecord(store, (head) => this.#toRecord(head));
  }

  /** As written last; none without a text. */
  get comments(): readonly Comment[] {
    return this.#comments;
  }

  /** How the change was decided that they were sent with; undefined before that. */
  get outcome(): CommentedOutcome | undefined {
    return this.#outcome;
  }

  /** The user writes: on disk shortly. @param comments all that there are */
  save(comments: readonly Comment[]): void {
    // What was sent is the agent's.
    if (this.#outcome !== undefined && this.#recovery === undefined) return;
    this.#comments = written(comments);
    if (this.#recovery !== undefined) this.#saveLate(this.#recovery);
    else if (this.#comments.length > 0) this.#record.writeSoon();
    else this.#record.remove();
  }

  /** Writes at once what `save` has put off. */
  flush(): void {
    this.#record.flush();
  }

  /**
   * The agent may receive these now: on disk before this returns, and ours until `delivered` or `recover`.
   * @returns what goes with the outcome; without `comments` where the user sends none
   */
  hold({ comments, kind }: Pick<Decision, "comments" | "kind">): { readonly comments?: readonly Comment[] } {
    if (comments === undefined) return {};
    this.#comments = written(comments).sort(byPlace);
    this.#outcome = kind;
    if (this.#comments.length === 0) {
      this.#record.remove();
      return {};
    }
    this.#record.write(true);
    return { comments: this.#comments };
  }

  /** An agent has them. */
  delivered(): void {
    this.#record.remove();
    this.#comments = [];
    this.#store.forget(this);
  }

  /**
   * No agent has them: on disk before this returns, for the user to send or to discard.
   * @returns undefined when there are none
   */
  recover(reason: string, outcome = this.#outcome): RecoveredComments | undefined {
    this.#outcome = outcome;
    this.#recovery = reason;
    if (this.#comments.length === 0) {
      this.#record.remove();
      this.#store.forget(this);
      return undefined;
    }
    const recovered = this.#record.release();
    this.#store.hasRecovered(this);
    return recovered;
  }

  /** The user was still writing when the change was closed elsewhere. */
  #saveLate(reason: string): void {
    if (this.#comments.length > 0) this.recover(reason);
    else if (this.#record.id !== undefined) this.#store.discard(this.#record.id);
  }

  #toRecord(head: DraftHead): CommentsRecord {
    const { filePath, agent } = this.#proposal;
    return {
      ...head,
      filePath,
      agent,
      reason: this.#recovery ?? "comments-unseen",
      ...(this.#outcome && { outcome: this.#outcome }),
      comments: this.#comments,
    };
  }
}

const written = (comments: readonly Comment[]) => comments.filter(({ text }) => text.trim() !== "");
