import type { CompanionEvent } from "../../companion-event.ts";
import type { CloseReason, Proposal } from "../../editor.ts";

/** The user's edits of a proposal, which no agent will take. */
export interface KeptEdits {
  readonly proposal: Proposal;
  readonly content: string;
  /** What has happened: a sentence for the user. */
  readonly text: string;
}

/** @returns undefined when nothing of the user's is lost. */
export function toKeptEdits(event: CompanionEvent): KeptEdits | undefined {
  if (event.kind === "edits-untaken") return toUntaken(event);
  if (event.kind !== "diff-settled") return undefined;
  const { proposal, settlement } = event;
  if (settlement.unsavedEdits === undefined) return undefined;
  const reason =
    settlement.kind === "closed" ? reasons[settlement.reason] : `it has ${settlement.kind} the change itself`;
  const text = `${proposal.agent} has not taken your edits: ${reason}.`;
  return { proposal, content: settlement.unsavedEdits, text };
}

function toUntaken({ proposal, content }: Extract<CompanionEvent, { kind: "edits-untaken" }>): KeptEdits {
  const text = `${proposal.agent} has not taken your edits: you had accepted them, and the file does not hold them.`;
  return { proposal, content, text };
}

const reasons: Readonly<Record<CloseReason, string>> = {
  agent: "the change was decided in its terminal",
  replaced: "a newer proposal has taken the place of this one",
  "session-ended": "it has ended",
  shutdown: "the companion was stopped",
};
