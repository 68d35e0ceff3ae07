import type { AgentName } from "../../../agents.ts";
import type { CommonMeans } from "../../../run/subject.ts";
import type { Rules } from "../../rule.ts";
import type { FamilyFault } from "../faults.ts";
import type { ParallelCompanions } from "../parallel-companions.ts";
import type { Target } from "../target/target.ts";
import type { Wire } from "../wire.ts";

/** What a check of Gemini CLI's and Qwen Code's contract may use. */
export interface Bench extends CommonMeans<Target>, Wire {
  /** The agents that the companion serves. */
  readonly agents: readonly AgentName[];
  /** Two more companions, for the checks of that lane. */
  readonly parallel: ParallelCompanions;
  /** Adds to the evidence. */
  note(text: string): void;
}

export type FamilyGroup = Rules<Bench, FamilyFault>;
