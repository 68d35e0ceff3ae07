import { type CheckHead, NotRun, Unconnected } from "../contracts/check.ts";
import type { Level, RuleBook } from "../contracts/requirement.ts";
import type { Evidence } from "../wire/evidence.ts";
import type { Clis } from "./subject.ts";

/** `not-run` says nothing about the companion: something that the check needs is missing. */
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
  const { group } = rules.requirementOf(first);
  return { check: id, title, requirements, group, level: rules.levelOf(requirements) };
}

/** A result with facts that the report does not show. */
export interface Outcome {
  readonly result: Result;
  /** Whether a request was not answered in time. */
  readonly isUnanswered: boolean;
  /** Whether it has failed because a CLI could not connect. */
  readonly isUnconnected: boolean;
  /** How many CLIs the check has connected. */
  readonly clis: number;
}

/** One run of one check. */
export interface Examination {
  readonly rules: RuleBook;
  readonly evidence: Evidence;
  /** Why it cannot run. */
  readonly missing: string | undefined;
  /** Milliseconds for the whole of it. */
  readonly within: number;
  run(): Promise<void>;
  /** Ends all companions that the check has started. */
  close(): Promise<void>;
  readonly clis: Clis;
}

/** Runs one check, and says how it went. */
export async function examine(check: CheckHead, examination: Examination): Promise<Outcome> {
  const { clis, evidence, missing, rules } = examination;
  const started = performance.now();
  const done = (status: Result["status"], message?: string, isUnconnected = false): Outcome => ({
    result: {
      ...headOf(check, rules),
      status,
      ...(message === undefined ? {} : { message: evidence.safe(message, 2000) }),
      evidence: [...evidence.lines],
      milliseconds: Math.round(performance.now() - started),
    },
    isUnconnected,
    isUnanswered: clis.isUnanswered,
    clis: clis.count,
  });
  if (missing !== undefined) return done("not-run", missing);
  try {
    await withDeadline(examination.run(), examination.within);
    return done("passed");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof NotRun) return done("not-run", message);
    return done("failed", message, error instanceof Unconnected);
  } finally {
    await clis.close();
    await examination.close();
  }
}

async function withDeadline(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${milliseconds / 1000} s`)), milliseconds);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
