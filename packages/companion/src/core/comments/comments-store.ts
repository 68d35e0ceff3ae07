import { messageOf } from "../../system/error-message.ts";
import { isAlive, thisProcess } from "../../system/record-owner.ts";
import type { Comment, Decision, Proposal } from "../editor.ts";
import type {
  CommentedOutcome,
  Comments,
  CommentsFolder,
  CommentsRecord,
  RecoveredComments,
} from "./comment.ts";

export interface CommentsStoreOptions {
  readonly folder: CommentsFolder;
  /** The list of comments that wait is another one. */
  readonly onChange?: () => void;
  /** Called with a sentence for the user. */
  readonly onWarning?: (message: string) => void;
}

/** What users write about proposals: in files, and in memory as long as the disk does not take it. */
export class CommentsStore implements Comments {
  readonly #folder: CommentsFolder;
  readonly #onChange: () => void;
  readonly #onWarning: (message: string) => void;
  readonly #drafts = new Set<CommentsDraft>();
  /** Records that could not be written, by id. */
  readonly #unwritten = new Map<string, CommentsRecord>();
  /** Sentences about damaged files; each is said once. */
  readonly #reported = new Set<string>();

  constructor({ folder, onChange = () => {}, onWarning = () => {} }: CommentsStoreOptions) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#onWarning = onWarning;
  }

  list(): readonly RecoveredComments[] {
    this.#retry();
    const { records, problems } = this.#folder.scan();
    for (const problem of problems) this.#report(problem);
    const onDisk = records.filter(({ id }) => !this.#unwritten.has(id));
    return [...this.#unwritten.values(), ...onDisk]
      .filter(isRecovered)
      .sort((one, other) => other.at - one.at)
      .map(toRecovered);
  }

  read(id: string): RecoveredComments | undefined {
    const record = this.#unwritten.get(id) ?? this.#folder.read(id);
    return record && isRecovered(record) ? toRecovered(record) : undefined;
  }

  discard(id: string): boolean {
    if (this.read(id) === undefined || !this.remove(id)) return false;
    this.#onChange();
    return true;
  }

  /** The comments on a proposal that is opened now: none yet. */
  draftOf(proposal: Proposal): CommentsDraft {
    const draft = new CommentsDraft(proposal, this);
    this.#drafts.add(draft);
    return draft;
  }

  /** Writes at once what drafts hold back. Synchronous, for exit handlers. */
  flush(): void {
    for (const draft of this.#drafts) draft.flush();
  }

  /** The companion ends: what no agent has received waits for its user. */
  close(): void {
    for (const draft of [...this.#drafts]) {
      draft.recover("The companion stopped before the agent had your comments.");
    }
    this.#retry();
    for (const { filePath } of this.#unwritten.values()) {
      this.#onWarning(
        `Your comments on ${filePath} could not be saved in ${this.#folder.path} and are lost now.`,
      );
    }
  }

  /** For drafts. */
  newId(): string {
    for (;;) {
      const id = this.#folder.newId();
      if (!this.#unwritten.has(id)) return id;
    }
  }

  /** For drafts. Never throws: what the disk does not take stays in memory. */
  write(record: CommentsRecord, flush: boolean): void {
    this.#retry();
    try {
      this.#folder.write(record, flush);
      this.#unwritten.delete(record.id);
    } catch (error) {
      const isNews = !this.#unwritten.has(record.id);
      this.#unwritten.set(record.id, record);
      if (isNews) {
        this.#onWarning(
          `Your comments on ${record.filePath} cannot be saved in ${this.#folder.path}: ${messageOf(error)}. This companion has them in memory: make room before you stop it.`,
        );
      }
    }
    if (!record.owner) this.#onChange();
  }

  /** For drafts. @returns whether there was such a record */
  remove(id: string): boolean {
    const wasUnwritten = this.#unwritten.delete(id);
    const wasWritten = this.#folder.remove(id);
    return wasUnwritten || wasWritten;
  }

  /** For drafts: this one has ended. */
  forget(draft: CommentsDraft): void {
    this.#drafts.delete(draft);
  }

  #retry(): void {
    for (const record of [...this.#unwritten.values()]) {
      try {
        this.#folder.write(record, true);
        this.#unwritten.delete(record.id);
      } catch {
        return; // the user has been warned when it failed first
      }
    }
  }

  #report(problem: string): void {
    if (this.#reported.has(problem)) return;
    this.#reported.add(problem);
    this.#onWarning(`${problem}. It was left as it is.`);
  }
}

const isRecovered = ({ owner, at }: CommentsRecord) => !owner || !isAlive(owner, at);

const toRecovered = ({ owner: _, ...comments }: CommentsRecord): RecoveredComments => comments;

/** How long a comment that is typed may be in memory alone, in milliseconds. */
const longestUnwritten = 250;

/** The comments on one proposal, from the first letter until an agent has them or their user knows of them. */
export class CommentsDraft {
  readonly #proposal: Proposal;
  readonly #store: CommentsStore;
  #comments: readonly Comment[] = [];
  #outcome: CommentedOutcome | undefined;
  /** Why they wait for their user, once they do. */
  #recovery: string | undefined;
  #id: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(proposal: Proposal, store: CommentsStore) {
    this.#proposal = proposal;
    this.#store = store;
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
    else if (this.#comments.length > 0)
      this.#timer ??= setTimeout(() => this.flush(), longestUnwritten).unref();
    else this.#remove();
  }

  /** Writes at once what `save` has put off. */
  flush(): void {
    if (this.#timer !== undefined) this.#write(false);
  }

  /**
   * The agent may receive these now: on disk before this returns, and ours until `delivered` or `recover`.
   * @returns what goes with the outcome; without `comments` where the user sends none
   */
  hold({ comments, kind }: Pick<Decision, "comments" | "kind">): { readonly comments?: readonly Comment[] } {
    if (comments === undefined) return {};
    this.#comments = written(comments);
    this.#outcome = kind;
    if (this.#comments.length === 0) {
      this.#remove();
      return {};
    }
    this.#write(true);
    return { comments: this.#comments };
  }

  /** An agent has them. */
  delivered(): void {
    this.#remove();
    this.#comments = [];
    this.#store.forget(this);
  }

  /**
   * No agent has them: on disk before this returns, for the user to send or to discard.
   * @returns undefined when there are none
   */
  recover(reason: string, outcome = this.#outcome): RecoveredComments | undefined {
    this.#stopTimer();
    this.#outcome = outcome;
    this.#recovery = reason;
    this.#store.forget(this);
    if (this.#comments.length === 0) return undefined;
    const recovered = this.#toRecord(reason);
    this.#store.write(recovered, true);
    return recovered;
  }

  /** The user was still writing when the change was closed elsewhere. */
  #saveLate(reason: string): void {
    if (this.#comments.length > 0) this.recover(reason);
    else if (this.#id !== undefined) this.#store.discard(this.#id);
  }

  #write(flush: boolean): void {
    this.#stopTimer();
    const record = this.#toRecord("The companion ended before the agent had your comments.");
    this.#store.write({ ...record, owner: thisProcess() }, flush);
  }

  #toRecord(reason: string): RecoveredComments {
    this.#id ??= this.#store.newId();
    const { filePath, agent } = this.#proposal;
    return {
      id: this.#id,
      filePath,
      agent,
      at: Date.now(),
      reason,
      ...(this.#outcome && { outcome: this.#outcome }),
      comments: this.#comments,
    };
  }

  #remove(): void {
    this.#stopTimer();
    if (this.#id !== undefined) this.#store.remove(this.#id);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const written = (comments: readonly Comment[]) => comments.filter(({ text }) => text.trim() !== "");
