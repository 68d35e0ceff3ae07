import type { WritingRules } from "../../files/reviewed-file.ts";
import { messageOf } from "../../system/error-message.ts";
import type { CloseReason, Editor } from "../editor.ts";
import type { TypedTexts } from "../edits/typed-texts.ts";
import type { OnCompanionEvent, Settlement } from "../events.ts";
import { toSentence } from "../sentences.ts";
import type { Change } from "./change.ts";
import type { Acceptable } from "./rebase.ts";
import { type Acceptance, type Outcome, ReviewError } from "./review.ts";

export interface EndingsOptions {
  readonly editor: Pick<Editor, "flush" | "hide">;
  readonly onEvent: OnCompanionEvent;
  readonly roots: () => readonly string[];
  readonly agentAccept: () => boolean;
  readonly writeFile: (path: string, content: string, rules: WritingRules) => Promise<void>;
  readonly texts: TypedTexts;
  /** The text that comes of it, or why it cannot be accepted now. */
  readonly toAcceptable: (change: Change, acceptance: Acceptance) => Acceptable;
  /** Records the end of a change; its agent hears the outcome before anybody else. */
  readonly end: (change: Change, settlement: Settlement, outcome?: Outcome) => void;
  /** From now on no decision about it counts, and another proposal may have its key. */
  readonly settle: (change: Change) => void;
  /** Why a change that an agent could not accept cannot go on; undefined when it can. */
  readonly whyOver: (change: Change) => CloseReason | undefined;
}

/** The ends of a change that are no decision of the user: the editor writes what was typed, and nothing gets lost. */
export class Endings {
  readonly #options: EndingsOptions;

  constructor(options: EndingsOptions) {
    this.#options = options;
  }

  /**
   * Accepts a diff for its agent and writes the file: the one place where the companion writes.
   * @throws ReviewError when agents may not accept, the editor does not give the text, or the file may not or cannot be
   *   written: then the diff stays open
   */
  async accept(change: Change): Promise<void> {
    const { editor, agentAccept, writeFile, roots } = this.#options;
    const { filePath } = change.proposal;
    const unwritten = (why: string) =>
      new ReviewError(`${filePath} was not written, its diff stays open: ${why}`);
    if (!agentAccept()) {
      throw unwritten(
        "agents may not accept changes here, only the user may (acceptDiff is switched off in the companion's settings)",
      );
    }
    try {
      await editor.flush(change);
    } catch (error) {
      throw unwritten(messageOf(error));
    }
    if (change.settled) throw new ReviewError(`the diff of ${filePath} has been decided meanwhile`);
    const acceptable = this.#options.toAcceptable(change, { kind: "accepted" });
    if ("refusal" in acceptable) throw unwritten(toSentence(acceptable.refusal));
    const { text: content } = acceptable;
    change.settled = true; // while the file is written, no decision in the editor may count
    try {
      await writeFile(filePath, content, { before: { stamp: change.stamp }, within: roots() });
    } catch (error) {
      await this.#reopen(change);
      const isOpen = change.settled ? "has been closed" : "stays open";
      throw new ReviewError(`${filePath} could not be written, its diff ${isOpen}: ${messageOf(error)}`);
    }
    await this.#conclude(change, { kind: "accepted", content, by: "agent" });
  }

  /**
   * Accepts a diff as it stands, by a rule of its user; one with comments, or that its agent cannot take, stays open.
   * @param isWanted whether the rule counts now: an editor may be slow to give the text
   */
  async acceptAhead(change: Change, isWanted: () => boolean): Promise<void> {
    await this.#options.editor.flush(change);
    if (change.settled || change.comments.length > 0 || !isWanted()) return;
    const acceptable = this.#options.toAcceptable(change, { kind: "accepted" });
    if ("refusal" in acceptable) {
      this.#options.onEvent({ kind: "warning", message: toSentence(acceptable.refusal) });
      return;
    }
    await this.#conclude(change, { kind: "accepted", content: acceptable.text, by: "rule" });
  }

  /** What has been typed since the text was accepted is no part of it. */
  async #conclude(
    change: Change,
    settlement: Extract<Settlement, { readonly kind: "accepted" }>,
  ): Promise<void> {
    const { end, texts } = this.#options;
    const { kind, content } = settlement;
    const typed = change.text;
    // On disk before its agent hears of it, and that before the editor has answered: it may be what has ended.
    change.draft.hold(content, "accepted-unseen");
    texts.follow(change, content, { isAccepted: true });
    end(change, settlement, { kind, content });
    change.write(typed);
    await this.#takeAway(change, "agent");
  }

  /** Rejects a diff for its agent. */
  async reject(change: Change): Promise<void> {
    change.settled = true;
    // Before the editor has answered: it may be what has ended.
    change.owner.deliver({ kind: "rejected" }, change.proposal);
    await this.#takeAway(change, "agent");
    this.#options.end(change, { kind: "rejected", by: "agent" });
    this.#options.texts.recover(change, change.text, "rejected-by-agent");
  }

  /**
   * Takes a proposal away without a decision.
   * @returns its text as it stood
   */
  async close(change: Change, reason: CloseReason): Promise<string> {
    const { settle, end, texts } = this.#options;
    settle(change);
    // Before the editor has answered: it may be what has ended.
    if (reason !== "agent") change.owner.deliver({ kind: "closed", reason }, change.proposal);
    await this.#takeAway(change, reason);
    const { text } = change;
    // An agent's call does not say whether it uses the text. On disk before it has its answer.
    if (reason === "agent") change.draft.hold(text, reason);
    end(change, { kind: "closed", reason });
    if (reason === "agent" && change.draft.isEdited) texts.follow(change, text, { isAccepted: false });
    else texts.recover(change, text, reason);
    return text;
  }

  /** An acceptance has failed: the diff is the user's again, unless it has lost its place meanwhile. */
  async #reopen(change: Change): Promise<void> {
    const reason = this.#options.whyOver(change);
    if (reason) await this.close(change, reason);
    else change.settled = false;
  }

  /** Its text is known then, as far as the editor gives it. */
  async #takeAway(change: Change, reason: CloseReason): Promise<void> {
    const { editor, onEvent } = this.#options;
    try {
      await change.opened.catch(() => {
        // The agent has its answer; what matters here is that the editor is no longer busy with it.
      });
      await editor.hide(change, reason);
    } catch (error) {
      const message = `the editor could not close the diff of ${change.proposal.filePath}: ${messageOf(error)}`;
      onEvent({ kind: "warning", message });
    }
  }
}
