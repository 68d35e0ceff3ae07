import type { GivenMeans } from "../../contract.ts";
import type { Rules } from "../../rule.ts";
import type { FamilyFault } from "../faults.ts";
import type { ParallelCompanions } from "../parallel-companions.ts";
import { agentsOf, type Target } from "../target/target.ts";
import { createWire } from "../wire.ts";

/** What a check of Gemini CLI's and Qwen Code's contract may use. */
export type Bench = ReturnType<typeof createMeans>;

export function createMeans({ common, clis, evidence, shared }: GivenMeans<Target, ParallelCompanions>) {
  const { target, limits } = common;
  if (!shared) throw new Error("createShared has made them");
  return {
    ...common,
    ...createWire({ target, evidence, limits, clis }),
    /** The agents that the companion serves. */
    agents: agentsOf(target),
    /** Two more companions, for the checks of that lane. */
    parallel: shared,
    /** Adds to the evidence. */
    note: (text: string) => evidence.note(text),
  };
}

export type FamilyGroup = Rules<Bench, FamilyFault>;
