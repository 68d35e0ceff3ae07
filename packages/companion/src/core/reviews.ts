import { fileStampOf } from "../files/file-stamp.ts";
import { type WritingRules, writeReviewedFile } from "../files/reviewed-file.ts";
import { messageOf } from "../system/error-message.ts";
import type { CloseReason, Decision, DecisionResult, Editor, Proposal } from "./editor.ts";
import type { Draft } from "./edits/draft.ts";
import type { EditsStore } from "./edits/edits-store.ts";
import { closedByAgent, TypedTexts } from "./edits/typed-texts.ts";
import type { OnCompanionEvent, Settlement } from "./events.ts";
import type { Outcome } from "./outcome.ts";
import { checkFilePath, ReviewError } from "./review-error.ts";
import type { ReviewOwner } from "./review-owner.ts";

/** Open diffs of one session; a CLI opens one at a time, a runaway one must not bury the user. */
export const maxOpenDiffs = 64;

export interface ReviewsOptions {
  readonly editor: Editor;
  /** Where the user's texts lie until their files hold them. */
  readonly edits: EditsStore;
  readonly onEvent: OnCompanionEvent;
  /** The open folders: what an agent accepts itself is written nowhere else. */
  readonly roots: () => readonly string[];
  /** Whether agents may accept their own diffs. */
  readonly agentAccept?: () => boolean;
  readonly writeFile?: (path: string, content: string, rules: WritingRules) => Promise<void>;
}

/** A change as an agent proposes it. */
export interface NewProposal {
  /** By what its agent names it later, unique within the session: most have one diff a file. */
  readonly key: string;
  /** Absolute; exactly as the agent sent it. */
  readonly filePath: string;
  /** The whole proposed text. */
  readonly newContent: string;
}

interface Entry {
  readonly key: string;
  readonly proposal: Proposal;
  readonly owner: ReviewOwner;
  /** Of the file as it was when the change was proposed. */
  readonly stamp: string;
  /** Settles once; a decision after that does not count. */
  settled: boolean;
  /** The editor has been asked to show it and has answered. */
  opened: Promise<void>;
  /** What the user has typed in it. */
  readonly draft: Draft;
  /** The text with which it has ended. */
  final: string | undefined;
  /** What came after that. */
  late: Draft | undefined;
}

/**
 * Every proposal under review, by session and file: open, then accepted, rejected or closed, once.
 * @see docs/reference/contract.md#4-diffs
 */
export class Reviews {
  readonly #entries = new Map<string, Entry>();
  readonly #texts: TypedTexts;
  readonly #options: Required<ReviewsOptions>;
  #count = 0;
  #isShut = false;

  constructor(options: ReviewsOptions) {
    this.#options = { writeFile: writeReviewedFile, agentAccept: () => true, ...options };
    this.#texts = new TypedTexts(options);
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
    return this.#undecided.map((entry) => entry.proposal);
  }

  get #undecided(): Entry[] {
    return [...this.#entries.values()].filter((entry) => !entry.settled);
  }

  /** An agent's own open proposal. */
  find(ownerId: string, key: string): Proposal | undefined {
    return this.#find(ownerId, key)?.proposal;
  }

  /**
   * Shows a proposal; a second one of the same session with the same key takes the first one's place.
   * @throws ReviewError when no diff can be shown.
   */
  async propose(owner: ReviewOwner, { key, filePath, newContent }: NewProposal): Promise<void> {
    checkFilePath(filePath, { roots: this.roots });
    // A request may have been on its way when its session ended, or the companion.
    if (this.#isOver(owner))
      throw new ReviewError(`no diff of ${filePath} can be shown: its session is over`);
    // An agent that has not written the last text by now will not write it any more.
    this.#texts.conclude(owner.id, filePath);
    const replaced = this.#find(owner.id, key);
    if (!replaced) this.#checkRoom(owner);
    const entry = this.#enter(owner, { key, filePath, newContent });
    if (replaced) await this.#close(replaced, "replaced");
    try {
      await entry.opened;
    } catch (error) {
      this.#settle(entry);
      this.#texts.recover(entry, entry.draft.text, "The editor could not show the change any more.");
      throw new ReviewError(`no diff of ${filePath} can be shown: ${messageOf(error)}`);
    }
    if (!entry.settled) this.#options.onEvent({ kind: "diff-opened", proposal: entry.proposal });
  }

  /**
   * Closes a diff for its agent, which hears nothing more of it.
   * @returns its text as it stood.
   * @throws ReviewError when this session has no open diff of that key.
   */
  async close(ownerId: string, key: string): Promise<string> {
    return this.#close(this.#expect(ownerId, key), "agent");
  }

  /**
   * Accepts a diff for its agent and writes the file: the one place where the companion writes.
   * @throws ReviewError when there is no such diff, agents may not accept, or the file may not or cannot be written:
   *   then the diff stays open.
   */
  async accept(ownerId: string, key: string): Promise<void> {
    const entry = this.#expect(ownerId, key);
    const { filePath } = entry.proposal;
    if (!this.agentAccept) {
      throw new ReviewError(
        `${filePath} was not written, its diff stays open: agents may not accept changes here, only the user may (acceptDiff is switched off in the companion's settings)`,
      );
    }
    const content = await this.#options.editor.readDiff(entry.proposal.id);
    if (entry.settled) throw new ReviewError(`the diff of ${filePath} has been decided meanwhile`);
    entry.settled = true; // while the file is written, no decision in the editor may count
    try {
      const before = { stamp: entry.stamp };
      await this.#options.writeFile(filePath, content, { before, within: this.roots });
    } catch (error) {
      await this.#reopen(entry);
      const isOpen = entry.settled ? "has been closed" : "stays open";
      throw new ReviewError(`${filePath} could not be written, its diff ${isOpen}: ${messageOf(error)}`);
    }
    const text = await this.#takeAway(entry, "agent");
    if (text === content) entry.draft.hold(text, acceptedUnseen);
    const outcome: Outcome = { kind: "accepted", content };
    this.#end(entry, text, { kind: "accepted", content, by: "agent" }, outcome);
    if (text === content) this.#texts.follow(entry, text, { isAccepted: true });
    else this.#texts.recover(entry, text, `You typed on while ${entry.proposal.agent} wrote the file.`);
  }

  /**
   * Rejects a diff for its agent.
   * @throws ReviewError when this session has no open diff of that key.
   */
  async reject(ownerId: string, key: string): Promise<void> {
    const entry = this.#expect(ownerId, key);
    entry.settled = true;
    const text = await this.#takeAway(entry, "agent");
    this.#end(entry, text, { kind: "rejected", by: "agent" }, { kind: "rejected" });
    this.#texts.recover(entry, text, `${entry.proposal.agent} rejected its change itself.`);
  }

  /** Closes every diff of a session that is over. */
  async endSession(ownerId: string): Promise<void> {
    const own = this.#undecided.filter((entry) => entry.owner.id === ownerId);
    await Promise.all(own.map((entry) => this.#close(entry, "session-ended")));
  }

  /** Closes every diff. Shows none from now on. */
  async shutDown(): Promise<void> {
    this.#isShut = true;
    await Promise.all(this.#undecided.map((entry) => this.#close(entry, "shutdown")));
    await this.#texts.known;
  }

  /** What is not known by now is taken as it stands. Synchronous. */
  end(): void {
    this.#isShut = true;
    this.#texts.end();
  }

  #isOver(owner: ReviewOwner): boolean {
    return this.#isShut || owner.isOver;
  }

  /** An acceptance has failed: the diff is the user's again, unless it has lost its place meanwhile. */
  async #reopen(entry: Entry): Promise<void> {
    const { owner } = entry;
    const isReplaced = this.#entries.get(keyOf(owner.id, entry.key)) !== entry;
    if (isReplaced) await this.#close(entry, "replaced");
    else if (this.#isOver(owner)) await this.#close(entry, this.#isShut ? "shutdown" : "session-ended");
    else entry.settled = false;
  }

  #checkRoom(owner: ReviewOwner): void {
    const own = this.#undecided.filter((entry) => entry.owner.id === owner.id);
    if (own.length >= maxOpenDiffs) {
      throw new ReviewError(
        `${owner.agent} has ${own.length} diffs open already, ${maxOpenDiffs} at most: decide one first`,
      );
    }
  }

  #enter(owner: ReviewOwner, { key, filePath, newContent }: NewProposal): Entry {
    this.#count += 1;
    const proposal: Proposal = {
      id: String(this.#count),
      sessionId: owner.id,
      agent: owner.agent,
      filePath,
      newContent,
      openedAt: Date.now(),
    };
    const entry: Entry = {
      key,
      proposal,
      owner,
      stamp: fileStampOf(filePath),
      settled: false,
      opened: Promise.resolve(),
      draft: this.#options.edits.draftOf(proposal),
      final: undefined,
      late: undefined,
    };
    this.#entries.set(keyOf(owner.id, key), entry);
    entry.opened = (async () =>
      this.#options.editor.openDiff(
        proposal,
        (decision) => this.#decide(entry, decision),
        (text) => this.#saveDraft(entry, text),
      ))();
    return entry;
  }

  #find(ownerId: string, key: string): Entry | undefined {
    const entry = this.#entries.get(keyOf(ownerId, key));
    return entry?.settled ? undefined : entry;
  }

  #expect(ownerId: string, key: string): Entry {
    const entry = this.#find(ownerId, key);
    if (!entry) throw new ReviewError(`no diff of ${JSON.stringify(key)} is open in this session`);
    return entry;
  }

  /** The user's decision in the editor, which takes its own view away. */
  #decide(entry: Entry, decision: Decision): DecisionResult {
    const { owner, proposal } = entry;
    if (entry.settled) return { taken: false, reason: "This change has already been decided elsewhere." };
    if (decision.kind === "rejected") {
      const { text } = entry.draft;
      entry.draft.drop();
      this.#end(entry, text, { kind: "rejected", by: "user" }, { kind: "rejected" });
      return { taken: true };
    }
    const { content } = decision;
    const objection = owner.objectionTo?.(content, proposal);
    if (objection !== undefined) return { taken: false, reason: objection };
    // On disk before its agent hears of it, whatever happens to either of us.
    entry.draft.hold(content, acceptedUnseen);
    this.#texts.follow(entry, content, { isAccepted: true });
    this.#end(entry, content, { kind: "accepted", content, by: "user" }, { kind: "accepted", content });
    return { taken: true };
  }

  /** The user types, perhaps later than the change was decided. */
  #saveDraft(entry: Entry, text: string): void {
    const { proposal, final } = entry;
    if (final === undefined) entry.draft.save(text);
    if (final === undefined || text === final || text === entry.late?.text) return;
    entry.late ??= this.#options.edits.draftOf(proposal);
    this.#texts.recover(
      { ...entry, draft: entry.late },
      text,
      "You typed this after the change was decided.",
    );
  }

  /** Takes a proposal away without a decision of the user. */
  async #close(entry: Entry, reason: CloseReason): Promise<string> {
    this.#settle(entry);
    // Before the editor has answered: it may be what has ended.
    if (reason !== "agent") entry.owner.deliver({ kind: "closed", reason }, entry.proposal);
    const text = await this.#takeAway(entry, reason);
    // An agent's call does not say whether it uses the text. On disk before it has its answer.
    if (reason === "agent") entry.draft.hold(text, reasonOf(reason, entry.proposal));
    this.#end(entry, text, { kind: "closed", reason });
    if (reason === "agent" && entry.draft.isEdited) this.#texts.follow(entry, text, { isAccepted: false });
    else this.#texts.recover(entry, text, reasonOf(reason, entry.proposal));
    return text;
  }

  async #takeAway({ proposal, opened, draft }: Entry, reason: CloseReason): Promise<string> {
    try {
      await opened.catch(() => {
        // The agent has its answer; what matters here is that the editor is no longer busy with it.
      });
      return await this.#options.editor.closeDiff(proposal.id, reason);
    } catch (error) {
      this.#options.onEvent({
        kind: "warning",
        message: `the editor could not close the diff of ${proposal.filePath}: ${messageOf(error)}`,
      });
      return draft.text;
    }
  }

  /**
   * @param final its text in the editor
   * @param outcome what its agent hears, before anybody else is
   */
  #end(entry: Entry, final: string, settlement: Settlement, outcome?: Outcome): void {
    this.#settle(entry);
    entry.final = final;
    if (outcome) entry.owner.deliver(outcome, entry.proposal);
    this.#options.onEvent({ kind: "diff-settled", proposal: entry.proposal, settlement });
  }

  #settle(entry: Entry): void {
    entry.settled = true;
    const key = keyOf(entry.owner.id, entry.key);
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

const acceptedUnseen = "The change was accepted, and the companion ended before the file held your text.";

/** Why a file does not hold what the user typed in a proposal that was taken away. */
function reasonOf(reason: CloseReason, { agent }: Proposal): string {
  switch (reason) {
    case "agent":
      return closedByAgent(agent);
    case "replaced":
      return `${agent} replaced the change with a newer one.`;
    case "session-ended":
      return `${agent} ended before you decided.`;
    case "shutdown":
      return "The companion stopped before you decided.";
  }
}

function keyOf(ownerId: string, key: string): string {
  return `${ownerId}\0${key}`;
}
