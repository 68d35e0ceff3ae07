import { type Group, type Level, type Requirement, requirements } from "../requirements/index.ts";
import type { Result } from "../run/result.ts";

/** Everything that came of a run. */
export interface Report {
  /** What the companion calls itself. */
  readonly companion: string;
  readonly port: number;
  /** Agents that it serves. */
  readonly agents: readonly string[];
  /** When it began, as ISO 8601. */
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

/** What has failed and is not known to. */
export function newFailures({ results, known }: Report): readonly Result[] {
  return results.filter(({ status, check }) => status === "failed" && !known.includes(check));
}

/** Whether every MUST that was checked is kept, and the baseline is true; with `strict`, every SHOULD and MAY too. */
export function isGood(report: Report, strict: boolean): boolean {
  const counts = newFailures(report).filter(({ level }) => strict || level === "MUST");
  return counts.length === 0 && report.stale.length === 0;
}

export function inGroup({ results }: Report, group: Group): readonly Result[] {
  return results.filter((result) => result.group === group);
}

/** How many rules of a level were kept, of those that a check could tell of. */
export function kept(report: Report, level: Level): { kept: number; checked: number } {
  const ofLevel = requirements.filter((requirement) => requirement.level === level);
  const states = ofLevel.map((requirement) => stateOf(report, requirement));
  return {
    kept: states.filter((state) => state === "kept").length,
    checked: states.filter((state) => state !== "not checked").length,
  };
}

export type State = "kept" | "broken" | "not checked";

/** A rule is kept when all its checks have passed that were run, and one was. */
export function stateOf({ results }: Report, { id }: Requirement): State {
  const own = results.filter((result) => result.requirements.includes(id));
  if (own.some(({ status }) => status === "failed")) return "broken";
  return own.some(({ status }) => status === "passed") ? "kept" : "not checked";
}
