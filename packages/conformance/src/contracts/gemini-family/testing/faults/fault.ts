import type { Rules } from "../../example/rules.ts";

/** One thing that a companion does wrong, and what the check that catches it says. */
export interface Fault {
  readonly rules: Partial<Rules>;
  /** What a good one does, when the example does not offer it at all. */
  readonly good?: Partial<Rules>;
  readonly says: RegExp;
}
