import type { Level, Requirement } from "../requirements/requirement.ts";
import type { RuleBook } from "../requirements/rule-book.ts";
import type { Result } from "../run/result.ts";

/** The results of a run. */
export interface Report {
  /** Display name of the companion. */
  readonly companion: string;
  readonly port: number;
  /** Agents that it serves. */
  readonly agents: readonly string[];
  /** Start time, ISO 8601. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly results: readonly Result[];
  /** Checks that are known to fail, by the baseline. */
  readonly known: readonly string[];
  /** Of the baseline: what no longer fails, or is no check. */
  readonly stale: readonly string[];
}

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly known: number;
  readonly notRun: number;
}

export function count(report: Report, results: readonly Result[] = report.results): Count {
  const of = (status: Result["status"]) => results.filter((result) => result.status === status);
  const known = of("failed").filter(({ check }) => report.known.includes(check)).length;
  return {
    passed: of("passed").length,
    failed: of("failed").length - known,
    known,
    notRun: of("not-run").length,
  };
}

/** Failures that the baseline does not list. */
export function newFailures({ results, known }: Report): readonly Result[] {
  return results.filter(({ status, check }) => status === "failed" && !known.includes(check));
}

/** Whether every MUST that was checked is fulfilled and the baseline is up to date; with `strict`, every SHOULD and MAY too. */
export function isGood(report: Report, strict: boolean): boolean {
  const counts = newFailures(report).filter(({ level }) => strict || level === "MUST");
  return counts.length === 0 && report.stale.length === 0;
}

export function inGroup({ results }: Report, group: string): readonly Result[] {
  return results.filter((result) => result.group === group);
}

/** How many rules of a level are fulfilled, and how many were checked. */
export function countRules(
  report: Report,
  level: Level,
  rules: RuleBook,
): { fulfilled: number; checked: number } {
  const ofLevel = rules.requirements.filter((requirement) => requirement.level === level);
  const states = ofLevel.map((requirement) => stateOf(report, requirement));
  return {
    fulfilled: states.filter((state) => state === "fulfilled").length,
    checked: states.filter((state) => state !== "not checked").length,
  };
}

export type State = "fulfilled" | "broken" | "not checked";

/** A rule is fulfilled when at least one of its checks was run and all that were run have passed. */
export function stateOf({ results }: Report, { id }: Requirement): State {
  const own = results.filter((result) => result.requirements.includes(id));
  if (own.some(({ status }) => status === "failed")) return "broken";
  return own.some(({ status }) => status === "passed") ? "fulfilled" : "not checked";
}
