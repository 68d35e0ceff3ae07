import type { Proposal } from "./editor.ts";
import type { Outcome } from "./outcome.ts";

/** The session behind a proposal, as far as diffs are concerned. */
export interface ReviewOwner {
  readonly id: string;
  /** The agent's name for people. */
  readonly agent: string;
  /** It has ended: nobody would hear of a diff's outcome, or close it. */
  readonly isOver: boolean;
  /** Called exactly once for a proposal that the agent has not closed itself. */
  deliver(outcome: Outcome, proposal: Proposal): void;
  /** Why this agent cannot take a text that the user wants to accept: a sentence for the user. */
  objectionTo?(content: string, proposal: Proposal): string | undefined;
}
