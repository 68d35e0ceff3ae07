import type { CheckHead } from "../checks/check.ts";
import type { Level } from "../requirements/requirement.ts";
import type { RuleBook } from "../requirements/rule-book.ts";

export type Status = "passed" | "failed" | "not-run";

/** The result of one check. */
export interface Result {
  readonly check: string;
  readonly title: string;
  readonly group: string;
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
export function headOf({ id, title, requirements }: CheckHead, rules: RuleBook) {
  const [first = ""] = requirements;
  return { check: id, title, requirements, group: rules.groupOf(first), level: rules.levelOf(requirements) };
}
