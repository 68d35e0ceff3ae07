import type { FileNow, FileText } from "../../files/file-text.ts";
import { sizeOf } from "../../files/line-diff.ts";
import type { CommentsDraft } from "../comments/comments-store.ts";
import type { Comment, Decision, DecisionResult, DiffState, Proposal, ShownChange } from "../editor.ts";
import type { Draft } from "../edits/edits-store.ts";
import { type HunkPlace, hunksOf } from "../hunks.ts";
import type { ReviewOwner } from "./review.ts";

/** What the core does for a change. */
export interface ChangeActions {
  decide(change: Change, decision: Decision): DecisionResult;
  /** The user has typed on after the end. */
  keepLate(change: Change, text: string): void;
}

export interface ChangeParts {
  readonly key: string;
  readonly owner: ReviewOwner;
  readonly proposal: Proposal;
  /** The file that the proposal is made for. */
  readonly now: FileNow;
  readonly draft: Draft;
  readonly remarks: CommentsDraft;
  readonly actions: ChangeActions;
}

/** What the editor is asked to show because the file has changed. */
interface Offer {
  readonly text: string;
  /** The editor has it. */
  readonly take: () => void;
}

/** A change of a file that waits for its user, or has ended: the one object that holds its text and its comments. */
export class Change implements ShownChange {
  /** By what its agent names it, unique among those of its session that wait. */
  readonly key: string;
  readonly owner: ReviewOwner;
  /** What the user has typed in it until its end. */
  readonly draft: Draft;
  /** What the user has written about it. */
  readonly remarks: CommentsDraft;
  /** As it stands against its file. */
  proposal: Proposal;
  /** The file that its text is made from. */
  base: FileText;
  /** Of the file that it was compared with last. */
  stamp: string;
  /** The file may be another one with the same stamp. */
  isFresh: boolean;
  state: DiffState = "current";
  /** No decision counts any more; or not now, while its agent accepts it. */
  settled = false;
  /** Answers the agent's call; its diff may end, as with its window, while the editor is still showing it. */
  answer?: () => void;
  /** The editor has been asked to show it and has answered. */
  opened: Promise<void> = Promise.resolve();
  /** What the user has typed after its end. */
  late: Draft | undefined;
  readonly #actions: ChangeActions;
  #offer: Offer | undefined;
  #isOver = false;
  #revision = 0;
  #compared: { readonly revision: number; readonly hunks: readonly HunkPlace[] } | undefined;

  constructor({ key, owner, proposal, now, draft, remarks, actions }: ChangeParts) {
    this.key = key;
    this.owner = owner;
    this.proposal = proposal;
    this.base = now.file;
    this.stamp = now.stamp;
    this.isFresh = now.isFresh;
    this.draft = draft;
    this.remarks = remarks;
    this.#actions = actions;
  }

  get id(): string {
    return this.proposal.id;
  }

  get text(): string {
    return (this.late ?? this.draft).text;
  }

  get revision(): number {
    return this.#revision;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get comments(): readonly Comment[] {
    return this.remarks.comments;
  }

  get hunks(): readonly HunkPlace[] {
    if (this.#compared?.revision !== this.#revision) {
      this.#compared = { revision: this.#revision, hunks: hunksOf(this.proposal, this.text) };
    }
    return this.#compared.hunks;
  }

  get added(): number {
    return sizeOf(this.hunks).added;
  }

  get removed(): number {
    return sizeOf(this.hunks).removed;
  }

  write(text: string): void {
    const offer = this.#offer;
    if (text === offer?.text && !this.#isOver) {
      this.#offer = undefined;
      offer.take();
    }
    if (text === this.text) return;
    this.#revision += 1;
    if (this.#isOver) this.#actions.keepLate(this, text);
    else this.draft.save(text);
  }

  saveComments(comments: readonly Comment[]): void {
    this.remarks.save(comments);
  }

  decide(decision: Decision): DecisionResult {
    return this.#actions.decide(this, decision);
  }

  /** Its file has changed. Whether the editor has what comes of that, its text says, also when the diff is closed meanwhile. */
  async offer(offer: Offer, update: () => Promise<void>): Promise<void> {
    this.#offer = offer;
    try {
      await update();
    } finally {
      this.#offer = undefined;
    }
  }

  /** From now on it is another proposal, with another text. */
  rebase(proposal: Proposal, text: string): void {
    this.#revision += 1;
    this.proposal = proposal;
    this.draft.rebase(proposal, text);
  }

  /** Texts that come from now on are late. */
  end(): void {
    this.#isOver = true;
  }
}
