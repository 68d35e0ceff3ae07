import type { Level, Requirement, RuleBook } from "../contracts/requirement.ts";
import type { Result } from "../run/result.ts";

/** The results of a run. */
export interface Report {
  /** Display name of the companion. */
  readonly companion: string;
  /** `port 41337`, or the path of a socket. */
  readonly address: string;
  /** How it has ended during the run, with what it has printed: for people. */
  readonly ended?: string;
  /** Agents that it serves. */
  readonly agents: readonly string[];
  /** Start time, ISO 8601. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly results: readonly Result[];
}

export function count(results: readonly Result[]) {
  const of = (status: Result["status"]) => results.filter((result) => result.status === status).length;
  return { passed: of("passed"), failed: of("failed"), notRun: of("not-run") };
}

/** Whether the companion has lasted, and every MUST that was checked is fulfilled; with `strict`, every SHOULD and MAY too. */
export function isGood({ results, ended }: Report, strict: boolean): boolean {
  const counts = results.filter(({ status, level }) => status === "failed" && (strict || level === "MUST"));
  return ended === undefined && counts.length === 0;
}

export function inGroup({ results }: Report, group: string): readonly Result[] {
  return results.filter((result) => result.group === group);
}

/** How many rules of a level are fulfilled, and how many were checked. */
export function countRules(report: Report, level: Level, rules: RuleBook) {
  const ofLevel = rules.requirements.filter((requirement) => requirement.level === level);
  const states = ofLevel.map((requirement) => stateOf(report, requirement));
  return {
    fulfilled: states.filter((state) => state === "fulfilled").length,
    checked: states.filter((state) => state !== "not checked").length,
  };
}

export type State = "fulfilled" | "broken" | "not checked";

/** A rule is fulfilled when at least one of its checks was run and all that were run have passed. */
function stateOf({ results }: Report, { id }: Requirement): State {
  const own = results.filter((result) => result.requirements.includes(id));
  if (own.some(({ status }) => status === "failed")) return "broken";
  return own.some(({ status }) => status === "passed") ? "fulfilled" : "not checked";
}

/** The whole report with its evidence, for programs. */
export function toJson(report: Report, { requirements }: RuleBook): string {
  const rules = requirements.map((requirement) => ({ ...requirement, state: stateOf(report, requirement) }));
  return `${JSON.stringify({ ...report, rules }, null, 2)}\n`;
}
