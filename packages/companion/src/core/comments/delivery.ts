import type { Change } from "../changes/change.ts";
import type { Proposal } from "../editor.ts";
import type { CompanionEvent, OnCompanionEvent, Settlement } from "../events.ts";
import type { ReasonCode } from "../sentences.ts";
import type { CommentsDraft, CommentsStore } from "./comments-store.ts";
import type { CommentsToSend } from "./message.ts";

export interface CommentsDeliveryOptions {
  readonly store: CommentsStore;
  readonly onEvent: OnCompanionEvent;
  /** Puts comments into the prompt of a session's agent, unsent. @returns whether they are there */
  readonly prompt: (sessionId: string, comments: CommentsToSend) => Promise<boolean>;
}

type Commented = Pick<Change, "proposal" | "owner" | "remarks">;

/** Sees to it that comments come to their agents, or back to their users. */
export class CommentsDelivery {
  readonly #options: CommentsDeliveryOptions;
  /** Those that are in an outcome on its way, by their proposals' ids. */
  readonly #inOutcomes = new Map<string, Commented>();

  constructor(options: CommentsDeliveryOptions) {
    this.#options = options;
  }

  /** The comments on a proposal that is opened now: none yet. */
  draftOf(proposal: Proposal): CommentsDraft {
    return this.#options.store.draftOf(proposal);
  }

  /** A proposal has ended. What its user has sent is on disk already: see `CommentsDraft.hold`. */
  conclude(ended: Commented, settlement: Settlement): void {
    const { proposal, owner } = ended;
    if (settlement.kind === "closed" || settlement.comments === undefined) {
      this.#recover(ended, whyUnsent(settlement), settlement.kind);
    } else if (owner.takesComments) {
      this.#inOutcomes.set(proposal.id, ended);
    } else {
      void this.#type(ended, settlement.kind);
    }
  }

  /** Learns from what happens in this companion. */
  take(event: CompanionEvent): void {
    if (event.kind === "outcome-delivered") {
      const ended = this.#inOutcomes.get(event.proposal.id);
      if (ended) this.#delivered(ended, "outcome");
    }
    if (event.kind === "session-closed") {
      for (const ended of [...this.#inOutcomes.values()]) {
        if (ended.owner.id === event.session.id) this.#recover(ended, "unreached");
      }
    }
  }

  async #type(ended: Commented, outcome: Settlement["kind"]): Promise<void> {
    const { proposal, owner, remarks } = ended;
    const message = { filePath: proposal.filePath, outcome, comments: remarks.comments };
    const isThere = await this.#options.prompt(owner.id, message).catch(() => false);
    if (isThere) this.#delivered(ended, "prompt");
    else this.#recover(ended, "unreached");
  }

  #delivered({ proposal, remarks }: Commented, by: "outcome" | "prompt"): void {
    this.#inOutcomes.delete(proposal.id);
    remarks.delivered();
    this.#options.onEvent({ kind: "comments-delivered", proposal, by });
  }

  #recover({ proposal, remarks: draft }: Commented, reason: ReasonCode, outcome = draft.outcome): void {
    const wasSent = draft.outcome !== undefined;
    this.#inOutcomes.delete(proposal.id);
    const comments = draft.recover(reason, outcome);
    if (comments) this.#options.onEvent({ kind: "comments-recovered", proposal, comments, wasSent });
  }
}

function whyUnsent(settlement: Settlement): ReasonCode {
  if (settlement.kind === "closed") return settlement.reason;
  return settlement.by === "agent" ? "agent" : "not-sent";
}
