import type { WritingRules } from "../files/reviewed-file.ts";
import { messageOf } from "../system/error-message.ts";
import type { CloseReason, Editor } from "./editor.ts";
import type { TypedTexts } from "./edits/typed-texts.ts";
import type { OnCompanionEvent, Settlement } from "./events.ts";
import type { Acceptable } from "./rebase.ts";
import { type Acceptance, type Outcome, type Review, ReviewError } from "./review.ts";
import { toSentence } from "./sentences.ts";

export interface EndingsOptions {
  readonly editor: Pick<Editor, "readDiff" | "closeDiff">;
  readonly onEvent: OnCompanionEvent;
  readonly roots: () => readonly string[];
  readonly agentAccept: () => boolean;
  readonly writeFile: (path: string, content: string, rules: WritingRules) => Promise<void>;
  readonly texts: TypedTexts;
  /** The text that comes of it, or why it cannot be accepted now. */
  readonly toAcceptable: (review: Review, acceptance: Acceptance) => Acceptable;
  /** Records the end of a review; its agent hears the outcome before anybody else. */
  readonly end: (review: Review, final: string, settlement: Settlement, outcome?: Outcome) => void;
  /** From now on no decision about it counts, and another proposal may have its key. */
  readonly settle: (review: Review) => void;
  /** Why a review that an agent could not accept cannot go on; undefined when it can. */
  readonly whyOver: (review: Review) => CloseReason | undefined;
}

/** The ends of a review that are no decision of the user: the text is taken from the editor, and none gets lost. */
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
  async accept(review: Review): Promise<void> {
    const { editor, agentAccept, writeFile, roots } = this.#options;
    const { filePath, id } = review.proposal;
    const unwritten = (why: string) =>
      new ReviewError(`${filePath} was not written, its diff stays open: ${why}`);
    if (!agentAccept()) {
      throw unwritten(
        "agents may not accept changes here, only the user may (acceptDiff is switched off in the companion's settings)",
      );
    }
    let content: string;
    try {
      content = await editor.readDiff(id);
    } catch (error) {
      throw unwritten(messageOf(error));
    }
    if (review.settled) throw new ReviewError(`the diff of ${filePath} has been decided meanwhile`);
    const acceptable = this.#options.toAcceptable(review, { kind: "accepted", content });
    if ("refusal" in acceptable) throw unwritten(toSentence(acceptable.refusal));
    content = acceptable.text;
    review.settled = true; // while the file is written, no decision in the editor may count
    try {
      await writeFile(filePath, content, { before: { stamp: review.stamp }, within: roots() });
    } catch (error) {
      await this.#reopen(review);
      const isOpen = review.settled ? "has been closed" : "stays open";
      throw new ReviewError(`${filePath} could not be written, its diff ${isOpen}: ${messageOf(error)}`);
    }
    await this.#conclude(review, content, { kind: "accepted", content, by: "agent" });
  }

  /**
   * Accepts a diff as it stands, by a rule of its user; one with comments, or that its agent cannot take, stays open.
   * @param isWanted whether the rule counts now: an editor may be slow to give the text
   */
  async acceptAhead(review: Review, isWanted: () => boolean): Promise<void> {
    const content = await this.#options.editor.readDiff(review.proposal.id);
    if (review.settled || review.comments.comments.length > 0 || !isWanted()) return;
    const acceptable = this.#options.toAcceptable(review, { kind: "accepted", content });
    if ("refusal" in acceptable) {
      this.#options.onEvent({ kind: "warning", message: toSentence(acceptable.refusal) });
      return;
    }
    const { text } = acceptable;
    await this.#conclude(review, text, { kind: "accepted", content: text, by: "rule" });
  }

  /** @param final the text that was read in the editor: what comes later is no part of what was accepted */
  async #conclude(
    review: Review,
    final: string,
    settlement: Extract<Settlement, { readonly kind: "accepted" }>,
  ): Promise<void> {
    const { end, texts } = this.#options;
    const { kind, content } = settlement;
    // On disk before its agent hears of it, and that before the editor has answered: it may be what has ended.
    review.draft.hold(final, "accepted-unseen");
    texts.follow(review, content, { isAccepted: true });
    end(review, final, settlement, { kind, content });
    texts.save(review, await this.#takeAway(review, "agent"));
  }

  /** Rejects a diff for its agent. */
  async reject(review: Review): Promise<void> {
    review.settled = true;
    // Before the editor has answered: it may be what has ended.
    review.owner.deliver({ kind: "rejected" }, review.proposal);
    const text = await this.#takeAway(review, "agent");
    this.#options.end(review, text, { kind: "rejected", by: "agent" });
    this.#options.texts.recover(review, text, "rejected-by-agent");
  }

  /**
   * Takes a proposal away without a decision.
   * @returns its text as it stood
   */
  async close(review: Review, reason: CloseReason): Promise<string> {
    const { settle, end, texts } = this.#options;
    settle(review);
    // Before the editor has answered: it may be what has ended.
    if (reason !== "agent") review.owner.deliver({ kind: "closed", reason }, review.proposal);
    const text = await this.#takeAway(review, reason);
    // An agent's call does not say whether it uses the text. On disk before it has its answer.
    if (reason === "agent") review.draft.hold(text, reason);
    end(review, text, { kind: "closed", reason });
    if (reason === "agent" && review.draft.isEdited) texts.follow(review, text, { isAccepted: false });
    else texts.recover(review, text, reason);
    return text;
  }

  /** An acceptance has failed: the diff is the user's again, unless it has lost its place meanwhile. */
  async #reopen(review: Review): Promise<void> {
    const reason = this.#options.whyOver(review);
    if (reason) await this.close(review, reason);
    else review.settled = false;
  }

  async #takeAway({ proposal, opened, draft }: Review, reason: CloseReason): Promise<string> {
    const { editor, onEvent } = this.#options;
    try {
      await opened.catch(() => {
        // The agent has its answer; what matters here is that the editor is no longer busy with it.
      });
      return await editor.closeDiff(proposal.id, reason);
    } catch (error) {
      const message = `the editor could not close the diff of ${proposal.filePath}: ${messageOf(error)}`;
      onEvent({ kind: "warning", message });
      return draft.text;
    }
  }
}
