import type { Quirks } from "../agents/agent.ts";
import type { Proposal } from "./editor.ts";
import type { Outcome } from "./outcome.ts";

/** The session behind a proposal, as far as diffs are concerned. */
export interface DiffOwner {
  readonly id: string;
  /** The agent's name for people. */
  readonly agent: string;
  readonly quirks: Quirks;
  /** It has ended: nobody would hear of a diff's outcome, or close it. */
  readonly isOver: boolean;
  /** Called exactly once for a proposal that the agent has not closed itself. */
  deliver(outcome: Outcome, proposal: Proposal): void;
  /** A newer proposal for this path is coming: older outcomes of it are wrong answers. */
  forgetOutcomes(filePath: string): void;
}
