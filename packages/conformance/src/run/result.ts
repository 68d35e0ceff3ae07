import type { Check } from "../checks/check.ts";
import { type Group, groupOf, type Level, levelOf } from "../requirements/index.ts";

export type Status = "passed" | "failed" | "not-run";

/** The result of one check. */
export interface Result {
  readonly check: string;
  readonly title: string;
  readonly group: Group;
  readonly level: Level;
  readonly requirements: readonly string[];
  readonly status: Status;
  /** What is wrong, or why it was not run. */
  readonly message?: string;
  /** What was sent and what came back, in order. */
  readonly evidence: readonly string[];
  readonly milliseconds: number;
}

/** The part of a result that is known before the check runs. */
export function headOf({ id, title, requirements }: Check) {
  const [first = ""] = requirements;
  return { check: id, title, requirements, group: groupOf(first), level: levelOf(requirements) };
}
