import type { OnCompanionEvent, Settlement } from "../companion-event.ts";
import type { CloseReason, Decision, Editor, Proposal, Verdict } from "../editor.ts";
import { withByteOrderMark } from "./byte-order-mark.ts";
import { DiffError } from "./diff-error.ts";
import type { DiffOwner } from "./diff-owner.ts";
import { checkFilePath } from "./file-path.ts";
import { stampOf } from "./file-stamp.ts";
import { type GivenText, GivenTexts } from "./given-texts.ts";
import type { Outcome } from "./outcome.ts";
import { holdsText, writeReviewedFile } from "./reviewed-file.ts";

/** Open diffs of one session; a CLI opens one at a time, a runaway one must not bury the user. */
export const maxOpenDiffs = 64;

export interface DiffBookOptions {
  readonly editor: Editor;
  readonly onEvent: OnCompanionEvent;
  readonly writeFile?: (path: string, content: string) => Promise<void>;
}

export interface CloseOptions {
  /** The agent knows the outcome. */
  readonly suppressNotification?: boolean;
  /** Whether the agent still waits for the text once that is known. */
  readonly isAwaited?: () => boolean;
}

interface Entry {
  readonly proposal: Proposal;
  readonly owner: DiffOwner;
  /** Settles once; a decision after that does not count. */
  settled: boolean;
  /** The editor has been asked to show it and has answered. */
  opened: Promise<void>;
}

/**
 * Every proposal under review, by session and exact path: open, then accepted, rejected or closed, once.
 * @see docs/contract.md#4-diffs
 */
export class DiffBook {
  readonly #entries = new Map<string, Entry>();
  readonly #given = new GivenTexts();
  readonly #options: Required<DiffBookOptions>;
  #count = 0;
  #isShut = false;

  constructor(options: DiffBookOptions) {
    this.#options = { writeFile: writeReviewedFile, ...options };
  }

  /** Oldest first. */
  get open(): Proposal[] {
    return this.#undecided.map((entry) => entry.proposal);
  }

  get #undecided(): Entry[] {
    return [...this.#entries.values()].filter((entry) => !entry.settled);
  }

  /**
   * Shows a proposal; a second one of the same session for the same path takes the first one's place.
   * @throws DiffError when no diff can be shown.
   */
  async propose(owner: DiffOwner, filePath: string, newContent: string): Promise<void> {
    checkFilePath(filePath);
    // A request may have been on its way when its session ended, or the companion.
    if (this.#isOver(owner)) throw new DiffError(`no diff of ${filePath} can be shown: its session is over`);
    // First: once its outcome is forgotten, nobody knows whether the agent has taken an accepted text.
    this.#keepUntaken(this.#given.take(owner.id, filePath));
    owner.forgetOutcomes(filePath);
    const replaced = this.#find(owner.id, filePath);
    if (!replaced) this.#checkRoom(owner);
    const entry = this.#enter(owner, filePath, newContent);
    if (replaced) await this.#close(replaced, "replaced");
    try {
      await entry.opened;
    } catch (error) {
      this.#settle(entry);
      throw new DiffError(`no diff of ${filePath} can be shown: ${messageOf(error)}`);
    }
    if (!entry.settled) this.#options.onEvent({ kind: "diff-opened", proposal: entry.proposal });
  }

  /**
   * Closes a diff for its agent.
   * @returns its text as it stood.
   * @throws DiffError when this session has no open diff of that path.
   */
  async close(ownerId: string, filePath: string, options: CloseOptions = {}): Promise<string> {
    const entry = this.#expect(ownerId, filePath);
    const text = await this.#close(entry, "agent", options.isAwaited);
    if (!options.suppressNotification) entry.owner.deliver({ kind: "rejected", filePath }, entry.proposal);
    return text;
  }

  /**
   * Accepts a diff for its agent and writes the file: the one place where the companion writes.
   * @throws DiffError when there is no such diff, or the file cannot be written: then the diff stays open.
   */
  async accept(ownerId: string, filePath: string): Promise<void> {
    const entry = this.#expect(ownerId, filePath);
    const content = await this.#options.editor.readDiff(entry.proposal.id);
    if (entry.settled) throw new DiffError(`the diff of ${filePath} has been decided meanwhile`);
    entry.settled = true; // while the file is written, no decision in the editor may count
    try {
      await this.#options.writeFile(filePath, content);
    } catch (error) {
      await this.#reopen(entry);
      const isOpen = entry.settled ? "has been closed" : "stays open";
      throw new DiffError(`${filePath} could not be written, its diff ${isOpen}: ${messageOf(error)}`);
    }
    const text = await this.#takeAway(entry, "agent");
    // What the user has typed while the file was written is not in it.
    const kept = text === content ? {} : this.#editsIn(entry, text);
    const settlement: Settlement = { kind: "accepted", content, by: "agent", ...kept };
    this.#end(entry, settlement, { kind: "accepted", filePath, content });
  }

  /**
   * Rejects a diff for its agent.
   * @throws DiffError when this session has no open diff of that path.
   */
  async reject(ownerId: string, filePath: string): Promise<void> {
    const entry = this.#expect(ownerId, filePath);
    entry.settled = true;
    const kept = this.#editsIn(entry, await this.#takeAway(entry, "agent"));
    this.#end(entry, { kind: "rejected", by: "agent", ...kept }, { kind: "rejected", filePath });
  }

  /** Closes every diff of a session that is over, and keeps what its agent has not taken. */
  async endSession(ownerId: string): Promise<void> {
    this.#keepUntaken(this.#given.take(ownerId));
    const own = this.#undecided.filter((entry) => entry.owner.id === ownerId);
    await Promise.all(own.map((entry) => this.#close(entry, "session-ended")));
  }

  /** Closes every diff, and rejects it for an agent that would wait on. Shows none from now on. */
  async shutDown(): Promise<void> {
    this.#isShut = true;
    const closing = this.#undecided.map((entry) => {
      const { owner, proposal } = entry;
      const closed = this.#close(entry, "shutdown");
      // Before the editor has answered: it may be what has ended.
      if (owner.manners.outwaitsCompanion) {
        owner.deliver({ kind: "rejected", filePath: proposal.filePath }, proposal);
      }
      return closed;
    });
    await Promise.all(closing);
  }

  #isOver(owner: DiffOwner): boolean {
    return this.#isShut || owner.isOver;
  }

  /** An acceptance has failed: the diff is the user's again, unless it has lost its place meanwhile. */
  async #reopen(entry: Entry): Promise<void> {
    const { owner, proposal } = entry;
    const isReplaced = this.#entries.get(keyOf(owner.id, proposal.filePath)) !== entry;
    if (isReplaced) await this.#close(entry, "replaced");
    else if (this.#isOver(owner)) await this.#close(entry, this.#isShut ? "shutdown" : "session-ended");
    else entry.settled = false;
  }

  #checkRoom(owner: DiffOwner): void {
    const own = this.#undecided.filter((entry) => entry.owner.id === owner.id);
    if (own.length >= maxOpenDiffs) {
      throw new DiffError(
        `${owner.agent} has ${own.length} diffs open already, ${maxOpenDiffs} at most: decide one first`,
      );
    }
  }

  #enter(owner: DiffOwner, filePath: string, newContent: string): Entry {
    this.#count += 1;
    const proposal: Proposal = {
      id: String(this.#count),
      sessionId: owner.id,
      agent: owner.agent,
      filePath,
      newContent: owner.manners.dropsByteOrderMark ? withByteOrderMark(filePath, newContent) : newContent,
      openedAt: Date.now(),
    };
    const entry: Entry = { proposal, owner, settled: false, opened: Promise.resolve() };
    this.#entries.set(keyOf(owner.id, filePath), entry);
    entry.opened = (async () =>
      this.#options.editor.openDiff(proposal, (decision) => this.#decide(entry, decision)))();
    return entry;
  }

  #find(ownerId: string, filePath: string): Entry | undefined {
    const entry = this.#entries.get(keyOf(ownerId, filePath));
    return entry?.settled ? undefined : entry;
  }

  #expect(ownerId: string, filePath: string): Entry {
    const entry = this.#find(ownerId, filePath);
    if (!entry) throw new DiffError(`no diff of ${JSON.stringify(filePath)} is open in this session`);
    return entry;
  }

  /** The user's decision in the editor, which takes its own view away. */
  #decide(entry: Entry, decision: Decision): Verdict {
    const { owner, proposal } = entry;
    if (entry.settled) return { taken: false, reason: "This change has already been decided elsewhere." };
    const { filePath } = proposal;
    if (decision.kind === "rejected") {
      this.#end(entry, { kind: "rejected", by: "user" }, { kind: "rejected", filePath });
      return { taken: true };
    }
    const { content } = decision;
    if (content === "" && proposal.newContent !== "" && owner.manners.ignoresEmptyText) {
      // contract 4: an accepted empty text is ignored and the agent's own text written
      const reason = `${owner.agent} does not take an empty text: it would write its own proposal instead. Reject the change, then empty the file yourself.`;
      return { taken: false, reason };
    }
    const isEdited = content !== proposal.newContent;
    // Before its agent can have written it.
    const stamp = isEdited ? stampOf(filePath) : undefined;
    this.#end(entry, { kind: "accepted", content, by: "user" }, { kind: "accepted", filePath, content });
    if (isEdited) this.#keepUntaken(this.#given.add({ owner, proposal, content, stamp }));
    return { taken: true };
  }

  /** @param given accepted texts that their agents may lack: those that have not reached their files go on as news */
  #keepUntaken(given: readonly GivenText[]): void {
    for (const { proposal, content } of given) {
      if (holdsText(proposal.filePath, content)) continue;
      this.#options.onEvent({ kind: "edits-untaken", proposal, content });
    }
  }

  /** Takes a proposal away without a decision of the user. */
  async #close(entry: Entry, reason: CloseReason, isAwaited = () => true): Promise<string> {
    this.#settle(entry);
    const text = await this.#takeAway(entry, reason);
    const { isOver, manners } = entry.owner;
    const isTaken = reason === "agent" && manners.takesClosedText && !isOver && isAwaited();
    this.#end(entry, { kind: "closed", reason, ...(isTaken ? {} : this.#editsIn(entry, text)) });
    return text;
  }

  /** What has to be kept of a text that no agent takes. */
  #editsIn({ proposal }: Entry, text: string): Pick<Settlement, "unsavedEdits"> {
    return text === proposal.newContent ? {} : { unsavedEdits: text };
  }

  async #takeAway({ proposal, opened }: Entry, reason: CloseReason): Promise<string> {
    try {
      await opened.catch(() => {
        // The agent has been told; what matters here is that the editor is no longer busy with it.
      });
      return await this.#options.editor.closeDiff(proposal.id, reason);
    } catch (error) {
      this.#options.onEvent({
        kind: "warning",
        message: `the editor could not close the diff of ${proposal.filePath}: ${messageOf(error)}`,
      });
      return proposal.newContent;
    }
  }

  /** @param outcome what its agent is told, before anybody else is */
  #end(entry: Entry, settlement: Settlement, outcome?: Outcome): void {
    this.#settle(entry);
    if (outcome) entry.owner.deliver(outcome, entry.proposal);
    this.#options.onEvent({ kind: "diff-settled", proposal: entry.proposal, settlement });
  }

  #settle(entry: Entry): void {
    entry.settled = true;
    const key = keyOf(entry.owner.id, entry.proposal.filePath);
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

function keyOf(ownerId: string, filePath: string): string {
  return `${ownerId}\0${filePath}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
