import { readFile } from "node:fs/promises";
import type { Level, Requirement, RuleBook } from "../contracts/requirement.ts";
import type { Result } from "../run/result.ts";
import { isJson, parseJson } from "../wire/json-rpc.ts";

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

/**
 * Whether the companion has lasted, every MUST that was checked is fulfilled and the baseline is up to date; with `strict`,
 * every SHOULD and MAY too.
 */
export function isGood(report: Report, strict: boolean): boolean {
  const counts = newFailures(report).filter(({ level }) => strict || level === "MUST");
  return report.ended === undefined && counts.length === 0 && report.stale.length === 0;
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
function stateOf({ results }: Report, { id }: Requirement): State {
  const own = results.filter((result) => result.requirements.includes(id));
  if (own.some(({ status }) => status === "failed")) return "broken";
  return own.some(({ status }) => status === "passed") ? "fulfilled" : "not checked";
}

/** Checks that are known to fail, with the reason. */
export type Baseline = Readonly<Record<string, string>>;

/** @throws Error when there is no such file, or it is none */
export async function readBaseline(path: string): Promise<Baseline> {
  const content = parseJson(await readFile(path, "utf8"));
  const known = isJson(content) ? content.knownFailures : undefined;
  if (!isJson(known) || !Object.values(known).every((reason) => typeof reason === "string")) {
    throw new Error(`${path} is no baseline: {"knownFailures": {"check": "reason"}} was expected`);
  }
  return Object.fromEntries(Object.entries(known).map(([check, reason]) => [check, String(reason)]));
}

/** A baseline of what fails now; the reasons are what the checks say. */
export function toBaseline({ results }: Report): string {
  const failed = results.filter(({ status }) => status === "failed");
  const knownFailures = Object.fromEntries(failed.map(({ check, message = "" }) => [check, message]));
  return `${JSON.stringify({ knownFailures }, null, 2)}\n`;
}

/**
 * What is wrong with a baseline: what passes now, and what is no check. What was not run says nothing.
 * @param all ids of every check there is
 */
export function staleIn(baseline: Baseline, results: readonly Result[], all: readonly string[]): string[] {
  const passed = results.filter(({ status }) => status === "passed").map(({ check }) => check);
  return Object.keys(baseline).flatMap((check) => {
    if (!all.includes(check)) return `the baseline knows ${check}, which is no check`;
    return passed.includes(check) ? `the baseline knows ${check} to fail, and it passes: take it out` : [];
  });
}

/** The whole report with its evidence, for programs. */
export function toJson(report: Report, { requirements }: RuleBook): string {
  const rules = requirements.map((requirement) => ({ ...requirement, state: stateOf(report, requirement) }));
  return `${JSON.stringify({ ...report, rules }, null, 2)}\n`;
}
