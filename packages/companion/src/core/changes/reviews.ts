import { randomBytes } from "node:crypto";
import { readFileNow } from "../../files/file-text.ts";
import { type WritingRules, writeReviewedFile } from "../../files/reviewed-file.ts";
import { messageOf } from "../../system/error-message.ts";
import type { CommentsDelivery } from "../comments/delivery.ts";
import type { CloseReason, Decision, DecisionResult, Editor, Proposal } from "../editor.ts";
import type { EditsStore } from "../edits/edits-store.ts";
import { TypedTexts } from "../edits/typed-texts.ts";
import type { OnCompanionEvent, Settlement } from "../events.ts";
import { BaseWatch } from "./base-watch.ts";
import { Change, type ChangeActions } from "./change.ts";
import { Endings } from "./endings.ts";
import { type Acceptable, toAcceptable } from "./rebase.ts";
import {
  type Acceptance,
  checkFilePath,
  checkRoom,
  isBeingWritten,
  judge,
  type NewProposal,
  type Outcome,
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
 * Every change that waits, by session and file: open, then accepted, rejected or closed, once.
 * @see docs/reference/contract.md#4-diffs
 */
export class Reviews {
  readonly #changes = new Map<string, Change>();
  readonly #texts: TypedTexts;
  readonly #endings: Endings;
  readonly #bases: BaseWatch;
  readonly #options: Required<ReviewsOptions>;
  readonly #actions: ChangeActions;
  /** Names this run: an editor may still show proposals of an earlier one. */
  readonly #run = randomBytes(4).toString("hex");
  #count = 0;
  #isShut = false;

  constructor(options: ReviewsOptions) {
    this.#options = { writeFile: writeReviewedFile, agentAccept: () => true, ...options };
    this.#texts = new TypedTexts(options);
    this.#actions = {
      decide: this.#decide.bind(this),
      keepLate: this.#texts.keepLate.bind(this.#texts),
    };
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
    return this.#undecided.map((change) => change.proposal);
  }

  get #undecided(): Change[] {
    return [...this.#changes.values()].filter((change) => !change.settled);
  }

  #openOf(ownerId: string): Change[] {
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
  async propose(owner: ReviewOwner, proposed: NewProposal): Promise<void> {
    const { key, filePath } = proposed;
    checkFilePath(filePath, { roots: this.roots });
    // A request may have been on its way when its session ended, or the companion.
    if (this.#isShut || owner.isOver)
      throw new ReviewError(`no diff of ${filePath} can be shown: its session is over`);
    // An agent that has not written the last text by now will not write it any more.
    this.#texts.conclude(owner.id, filePath);
    const replaced = this.#find(owner.id, key);
    if (!replaced) checkRoom(owner.agent, this.#openOf(owner.id).length);
    const change = this.#enter(owner, proposed);
    const ended = new Promise<void>((resolve) => (change.answer = resolve));
    if (replaced) await this.#endings.close(replaced, "replaced");
    try {
      await Promise.race([change.opened, ended]);
    } catch (error) {
      this.#settle(change);
      change.end();
      this.#texts.recover(change, change.text, "not-shown");
      change.remarks.recover("not-shown");
      throw new ReviewError(`no diff of ${filePath} can be shown: ${messageOf(error)}`);
    }
    if (!change.settled) this.#options.onEvent({ kind: "diff-opened", proposal: change.proposal });
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
    const change = this.#undecided.find(({ proposal }) => proposal.id === id);
    if (change) await this.#endings.acceptAhead(change, isWanted);
  }

  /** Closes every diff of a session that is over. */
  async endSession(ownerId: string): Promise<void> {
    await Promise.all(this.#openOf(ownerId).map((change) => this.#endings.close(change, "session-ended")));
  }

  /** Closes every diff. Shows none from now on. */
  async shutDown(): Promise<void> {
    this.#isShut = true;
    this.#bases.stop();
    await Promise.all(this.#undecided.map((change) => this.#endings.close(change, "shutdown")));
    await this.#texts.known;
  }

  /** What is not known by now is taken as it stands. Synchronous. */
  end(): void {
    this.#isShut = true;
    this.#bases.stop();
    this.#texts.end();
  }

  #whyOver(change: Change): CloseReason | undefined {
    if (!this.#isHeld(change)) return "replaced";
    if (this.#isShut) return "shutdown";
    return change.owner.isOver ? "session-ended" : undefined;
  }

  #enter(owner: ReviewOwner, { key, now: read, ...proposed }: NewProposal): Change {
    const now = read ?? readFileNow(proposed.filePath);
    this.#count += 1;
    const proposal: Proposal = {
      id: `${this.#run}-${this.#count}`,
      sessionId: owner.id,
      agent: owner.agent,
      ...proposed,
      base: now.file,
      openedAt: Date.now(),
    };
    const { edits, delivery, editor } = this.#options;
    const change = new Change({
      ...{ key, owner, proposal, now, actions: this.#actions },
      draft: edits.draftOf(proposal),
      remarks: delivery.draftOf(proposal),
    });
    this.#changes.set(keyOf(owner.id, key), change);
    this.#bases.start();
    change.opened = (async () => editor.show(change))();
    change.opened.catch(() => {}); // `propose` reports it, perhaps after it has closed another one
    return change;
  }

  #find(ownerId: string, key: string): Change | undefined {
    const change = this.#changes.get(keyOf(ownerId, key));
    return change?.settled ? undefined : change;
  }

  #expect(ownerId: string, key: string): Change {
    const change = this.#find(ownerId, key);
    if (!change) throw new ReviewError(`no diff of ${JSON.stringify(key)} is open in this session`);
    return change;
  }

  /** The user's decision in the editor, which takes its own view away. */
  #decide(change: Change, decision: Decision): DecisionResult {
    if (change.settled)
      return { taken: false, reason: { code: this.#isHeld(change) ? "agent-decides" : "decided" } };
    return decision.kind === "rejected" ? this.#reject(change, decision) : this.#accept(change, decision);
  }

  #reject(change: Change, decision: Decision): DecisionResult {
    const { draft, proposal } = change;
    const outcome = { kind: "rejected", ...change.remarks.hold(decision) } as const;
    this.#end(change, { ...outcome, by: "user" }, outcome);
    if (proposal.readOnlyReason === undefined) draft.drop();
    else this.#texts.recover(change, draft.text, "rejected-read-only");
    return { taken: true };
  }

  #accept(change: Change, decision: Acceptance): DecisionResult {
    const acceptable = this.#toAcceptable(change, decision);
    if ("refusal" in acceptable) return { taken: false, reason: acceptable.refusal };
    const { text, notice } = acceptable;
    // On disk before its agent hears of it, whatever happens to either of us.
    change.draft.hold(decision.ownVersion ? change.text : text, "accepted-unseen");
    this.#texts.follow(change, text, { isAccepted: true });
    const outcome = { kind: "accepted", content: text, ...change.remarks.hold(decision) } as const;
    this.#end(change, { ...outcome, by: "user" }, outcome);
    return { taken: true, ...(notice !== undefined && { notice }) };
  }

  /** The text that its agent hears of when a change is accepted, or why it cannot be accepted now. */
  #toAcceptable(change: Change, acceptance: Acceptance): Acceptable {
    const { accepted, objection } = judge(change, acceptance);
    const writer = this.#texts.writerOf(change.proposal.filePath);
    if (objection !== undefined) return { refusal: objection };
    if (writer !== undefined) return { refusal: isBeingWritten(writer, change.proposal) };
    const acceptable = toAcceptable(change, accepted);
    if ("refusal" in acceptable) void this.#bases.update(change);
    return acceptable;
  }

  /** @param outcome what its agent hears, before anybody else is */
  #end(change: Change, settlement: Settlement, outcome?: Outcome): void {
    this.#settle(change);
    change.end();
    const { proposal, owner, text } = change;
    if (outcome) owner.deliver(outcome, proposal);
    const edited = text === proposal.newContent ? {} : { edited: text };
    this.#options.onEvent({ kind: "diff-settled", proposal, settlement, ...edited });
    this.#options.delivery.conclude(change, settlement);
  }

  #settle(change: Change): void {
    change.settled = true;
    change.answer?.();
    if (this.#isHeld(change)) this.#changes.delete(keyOf(change.owner.id, change.key));
  }

  /** Nobody has decided, or its agent has and may fail. */
  #isHeld(change: Change): boolean {
    return this.#changes.get(keyOf(change.owner.id, change.key)) === change;
  }
}

const keyOf = (ownerId: string, key: string): string => `${ownerId}\0${key}`;
