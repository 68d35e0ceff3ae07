import type { Rules } from "../../example/rules.ts";
import { contextFaults } from "./context.ts";
import { diffsFaults } from "./diffs.ts";
import { discoveryFaults, lifecycleFaults } from "./discovery.ts";
import { securityFaults, transportFaults } from "./transport.ts";

/** A broken companion for every check, by the check's id. */
export const faults: Readonly<Record<string, Fault>> = {
  ...transportFaults,
  ...securityFaults,
  ...discoveryFaults,
  ...contextFaults,
  ...diffsFaults,
  ...lifecycleFaults,
};

/** One thing that a companion does wrong, and what the check that catches it says. */
export interface Fault {
  readonly rules: Partial<Rules>;
  /** What a good one does, when the example does not offer it at all. */
  readonly good?: Partial<Rules>;
  readonly says: RegExp;
}
