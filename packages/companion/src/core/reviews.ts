import { readFileNow } from "../files/file-text.ts";
import { type WritingRules, writeReviewedFile } from "../files/reviewed-file.ts";
import { messageOf } from "../system/error-message.ts";
import { BaseWatch } from "./base-watch.ts";
import type { CommentsDelivery } from "./comments/delivery.ts";
import type { CloseReason, Decision, DecisionResult, Editor, Proposal } from "./editor.ts";
import type { EditsStore } from "./edits/edits-store.ts";
import { TypedTexts } from "./edits/typed-texts.ts";
import { Endings } from "./endings.ts";
import type { OnCompanionEvent, Settlement } from "./events.ts";
import { type Acceptable, toAcceptable } from "./rebase.ts";
import {
  type Acceptance,
  checkFilePath,
  checkRoom,
  isBeingWritten,
  judge,
  type NewProposal,
  type Outcome,
  type Review,
  ReviewError,
  type ReviewOwner,
} from "./review.ts";

export interface ReviewsOptions {
  readonly editor: Editor;
  /** Where the user's texts lie until their files hold them. */
  readonly edits: EditsStore;
  /** Brings the user's comments to the agents. */
  readonly delivery: CommentsDelivery;
  readonly onEvent: OnCompanionEvent;
  /** The open folders: what an agent accepts itself is written nowhere else. */
  readonly roots: () => readonly string[];
  /** Whether agents may accept their own diffs. */
  readonly agentAccept?: () => boolean;
  readonly writeFile?: (path: string, content: string, rules: WritingRules) => Promise<void>;
}

/**
 * Every proposal under review, by session and file: open, then accepted, rejected or closed, once.
 * @see docs/reference/contract.md#4-diffs
 */
export class Reviews {
  readonly #reviews = new Map<string, Review>();
  readonly #texts: TypedTexts;
  readonly #endings: Endings;
  readonly #bases: BaseWatch;
  readonly #options: Required<ReviewsOptions>;
  #count = 0;
  #isShut = false;

  constructor(options: ReviewsOptions) {
    this.#options = { writeFile: writeReviewedFile, agentAccept: () => true, ...options };
    this.#texts = new TypedTexts(options);
    this.#bases = new BaseWatch({ ...options, waiting: () => this.#undecided });
    this.#endings = new Endings({
      ...this.#options,
      texts: this.#texts,
      toAcceptable: this.#toAcceptable.bind(this),
      end: this.#end.bind(this),
      settle: this.#settle.bind(this),
      whyOver: this.#whyOver.bind(this),
    });
  }

  /** Absolute paths of the open folders. */
  get roots(): readonly string[] {
    return this.#options.roots();
  }

  /** Whether agents may accept their own diffs now. */
  get agentAccept(): boolean {
    return this.#options.agentAccept();
  }

  /** Oldest first. */
  get open(): Proposal[] {
    return this.#undecided.map((review) => review.proposal);
  }

  get #undecided(): Review[] {
    return [...this.#reviews.values()].filter((review) => !review.settled);
  }

  #openOf(ownerId: string): Review[] {
    return this.#undecided.filter(({ owner }) => owner.id === ownerId);
  }

  /** An agent's own open proposal. */
  find(ownerId: string, key: string): Proposal | undefined {
    return this.#find(ownerId, key)?.proposal;
  }

  /**
   * Shows a proposal; a second one of the same session with the same key takes the first one's place.
   * @throws ReviewError when no diff can be shown.
   */
  async propose(owner: ReviewOwner, change: NewProposal): Promise<void> {
    const { key, filePath } = change;
    checkFilePath(filePath, { roots: this.roots });
    // A request may have been on its way when its session ended, or the companion.
    if (this.#isShut || owner.isOver)
      throw new ReviewError(`no diff of ${filePath} can be shown: its session is over`);
    // An agent that has not written the last text by now will not write it any more.
    this.#texts.conclude(owner.id, filePath);
    const replaced = this.#find(owner.id, key);
    if (!replaced) checkRoom(owner.agent, this.#openOf(owner.id).length);
    const review = this.#enter(owner, change);
    const ended = new Promise<void>((resolve) => (review.answer = resolve));
    if (replaced) await this.#endings.close(replaced, "replaced");
    try {
      await Promise.race([review.opened, ended]);
    } catch (error) {
      this.#settle(review);
      this.#texts.recover(review, review.draft.text, "not-shown");
      review.comments.recover("not-shown");
      throw new ReviewError(`no diff of ${filePath} can be shown: ${messageOf(error)}`);
    }
    if (!review.settled) this.#options.onEvent({ kind: "diff-opened", proposal: review.proposal });
  }

  /**
   * Closes a diff for its agent, which hears nothing more of it.
   * @returns its text as it stood.
   * @throws ReviewError when this session has no open diff of that key.
   */
  async close(ownerId: string, key: string): Promise<string> {
    return this.#endings.close(this.#expect(ownerId, key), "agent");
  }

  /**
   * Accepts a diff for its agent and writes the file.
   * @throws ReviewError when there is no such diff, agents may not accept, or the file may not or cannot be written:
   *   then the diff stays open.
   */
  async accept(ownerId: string, key: string): Promise<void> {
    await this.#endings.accept(this.#expect(ownerId, key));
  }

  /**
   * Rejects a diff for its agent.
   * @throws ReviewError when this session has no open diff of that key.
   */
  async reject(ownerId: string, key: string): Promise<void> {
    await this.#endings.reject(this.#expect(ownerId, key));
  }

  /** Accepts a waiting proposal as it stands, by a rule of its user, if that still counts once its text is known. */
  async acceptAhead(id: string, isWanted: () => boolean): Promise<void> {
    const review = this.#undecided.find(({ proposal }) => proposal.id === id);
    if (review) await this.#endings.acceptAhead(review, isWanted);
  }

  /** Closes every diff of a session that is over. */
  async endSession(ownerId: string): Promise<void> {
    await Promise.all(this.#openOf(ownerId).map((review) => this.#endings.close(review, "session-ended")));
  }

  /** Closes every diff. Shows none from now on. */
  async shutDown(): Promise<void> {
    this.#isShut = true;
    this.#bases.stop();
    await Promise.all(this.#undecided.map((review) => this.#endings.close(review, "shutdown")));
    await this.#texts.known;
  }

  /** What is not known by now is taken as it stands. Synchronous. */
  end(): void {
    this.#isShut = true;
    this.#bases.stop();
    this.#texts.end();
  }

  #whyOver(review: Review): CloseReason | undefined {
    if (!this.#isHeld(review)) return "replaced";
    if (this.#isShut) return "shutdown";
    return review.owner.isOver ? "session-ended" : undefined;
  }

  #enter(owner: ReviewOwner, change: NewProposal): Review {
    const { key, now = readFileNow(change.filePath), ...proposed } = change;
    this.#count += 1;
    const proposal: Proposal = {
      id: String(this.#count),
      sessionId: owner.id,
      agent: owner.agent,
      ...proposed,
      base: now.file,
      openedAt: Date.now(),
    };
    const review: Review = {
      key,
      proposal,
      owner,
      base: now.file,
      stamp: now.stamp,
      state: "current",
      settled: false,
      opened: Promise.resolve(),
      draft: this.#options.edits.draftOf(proposal),
      comments: this.#options.delivery.draftOf(proposal),
      final: undefined,
      late: undefined,
    };
    this.#reviews.set(keyOf(owner.id, key), review);
    this.#bases.start();
    review.opened = (async () =>
      this.#options.editor.openDiff(
        proposal,
        (decision) => this.#decide(review, decision),
        (text) => this.#texts.save(review, text),
        (comments) => review.comments.save(comments),
      ))();
    review.opened.catch(() => {}); // `propose` reports it, perhaps after it has closed another one
    return review;
  }

  #find(ownerId: string, key: string): Review | undefined {
    const review = this.#reviews.get(keyOf(ownerId, key));
    return review?.settled ? undefined : review;
  }

  #expect(ownerId: string, key: string): Review {
    const review = this.#find(ownerId, key);
    if (!review) throw new ReviewError(`no diff of ${JSON.stringify(key)} is open in this session`);
    return review;
  }

  /** The user's decision in the editor, which takes its own view away. */
  #decide(review: Review, decision: Decision): DecisionResult {
    if (review.settled)
      return { taken: false, reason: { code: this.#isHeld(review) ? "agent-decides" : "decided" } };
    return decision.kind === "rejected" ? this.#reject(review, decision) : this.#accept(review, decision);
  }

  #reject(review: Review, decision: Decision): DecisionResult {
    const { draft, proposal } = review;
    const outcome = { kind: "rejected", ...review.comments.hold(decision) } as const;
    this.#end(review, draft.text, { ...outcome, by: "user" }, outcome);
    if (proposal.readOnlyReason === undefined) draft.drop();
    else this.#texts.recover(review, draft.text, "rejected-read-only");
    return { taken: true };
  }

  #accept(review: Review, decision: Acceptance): DecisionResult {
    review.draft.save(decision.content); // a rejection may come next
    const acceptable = this.#toAcceptable(review, decision);
    if ("refusal" in acceptable) return { taken: false, reason: acceptable.refusal };
    const { text, notice } = acceptable;
    const content = decision.ownVersion ? decision.content : text;
    // On disk before its agent hears of it, whatever happens to either of us.
    review.draft.hold(content, "accepted-unseen");
    this.#texts.follow(review, text, { isAccepted: true });
    const outcome = { kind: "accepted", content: text, ...review.comments.hold(decision) } as const;
    this.#end(review, content, { ...outcome, by: "user" }, outcome);
    return { taken: true, ...(notice !== undefined && { notice }) };
  }

  /** The text that its agent hears of when a change is accepted, or why it cannot be accepted now. */
  #toAcceptable(review: Review, acceptance: Acceptance): Acceptable {
    const { accepted, objection } = judge(review, acceptance);
    const writer = this.#texts.writerOf(review.proposal.filePath);
    if (objection !== undefined) return { refusal: objection };
    if (writer !== undefined) return { refusal: isBeingWritten(writer, review.proposal) };
    const acceptable = toAcceptable(review, accepted);
    if ("refusal" in acceptable) void this.#bases.update(review);
    return acceptable;
  }

  /**
   * @param final its text in the editor
   * @param outcome what its agent hears, before anybody else is
   */
  #end(review: Review, final: string, settlement: Settlement, outcome?: Outcome): void {
    this.#settle(review);
    review.final = final;
    if (outcome) review.owner.deliver(outcome, review.proposal);
    const { proposal } = review;
    const edited = final === proposal.newContent ? {} : { edited: final };
    this.#options.onEvent({ kind: "diff-settled", proposal, settlement, ...edited });
    this.#options.delivery.conclude(review, settlement);
  }

  #settle(review: Review): void {
    review.settled = true;
    review.answer?.();
    if (this.#isHeld(review)) this.#reviews.delete(keyOf(review.owner.id, review.key));
  }

  /** Nobody has decided, or its agent has and may fail. */
  #isHeld(review: Review): boolean {
    return this.#reviews.get(keyOf(review.owner.id, review.key)) === review;
  }
}

const keyOf = (ownerId: string, key: string): string => `${ownerId}\0${key}`;
