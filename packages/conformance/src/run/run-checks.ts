import type { Check, Lane } from "../checks/check.ts";
import { severalClis } from "../checks/transport/sessions.ts";
import { createParallelCompanions } from "./parallel-companions.ts";
import { headOf, type Result } from "./result.ts";
import { type Outcome, runCheck, type Subject } from "./run-check.ts";

/** How many checks of a lane run concurrently. They mostly wait. */
const width: Readonly<Record<Lane, number>> = { wire: 8, editor: 1, proposals: 4, parallel: 1, process: 1 };

/** The lanes whose checks share one companion, unless they are isolated. */
const shared: readonly Lane[] = ["wire", "editor", "proposals"];

export interface Progress {
  readonly done: number;
  readonly of: number;
  /** Titles of the checks that run now. */
  readonly running: readonly string[];
}

export interface RunOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Starts another companion for each check. */
  readonly isolated?: boolean;
}

/**
 * Runs checks, each in its lane, and the lanes concurrently. If the companion left a request unanswered, one CLI may have
 * broken another: then every failed check runs again, on another companion.
 * @returns the results in the order of the checks
 */
export async function runChecks(
  checks: readonly Check[],
  subject: Subject,
  { onProgress = () => {}, isolated = false }: RunOptions = {},
): Promise<Result[]> {
  const outcomes = new Map<Check, Outcome>();
  const running = new Set<Check>();
  const parallel = createParallelCompanions(subject);
  const report = () =>
    onProgress({ done: outcomes.size, of: checks.length, running: [...running].map(({ title }) => title) });
  const run = async (check: Check, runOne: (check: Check) => Promise<Outcome>) => {
    running.add(check);
    report();
    outcomes.set(check, await runOne(check));
    running.delete(check);
    report();
  };
  const runTogether = (check: Check) => runCheck(check, subject, parallel);
  const runAlone = async (check: Check): Promise<Outcome> => {
    const former = outcomes.get(check)?.result.message;
    const note =
      former &&
      `This is the second run, on another companion. Together with other checks it failed: ${former}`;
    try {
      const alone = await subject.isolate?.();
      if (!alone) return await runTogether(check);
      try {
        return withNote(await runCheck(check, alone.subject, parallel), note);
      } finally {
        await alone.close();
      }
    } catch (error) {
      const message = `no companion could be started for it: ${error instanceof Error ? error.message : error}`;
      const result = { ...headOf(check), status: "failed", message, evidence: [], milliseconds: 0 } as const;
      return { result, isUnanswered: false, clis: 0 };
    }
  };
  const runLane = async (lane: Lane) => {
    const waiting = checks.filter((check) => check.lane === lane)[Symbol.iterator]();
    const isAlone = isolated && shared.includes(lane);
    const worker = async () => {
      for (const check of waiting) await run(check, isAlone ? runAlone : runTogether);
    };
    await Promise.all(Array.from({ length: isAlone ? 1 : width[lane] }, worker));
  };
  const diffs = async () => {
    await runLane("editor");
    // Diffs that open at any time would disturb the user.
    await runLane("proposals");
  };
  try {
    await Promise.all([runLane("wire"), diffs(), runLane("parallel"), runLane("process")]);
    const failed = checks.filter(
      (check) => shared.includes(check.lane) && outcomes.get(check)?.result.status === "failed",
    );
    const isSuspect = failed.some((check) => outcomes.get(check)?.isUnanswered);
    if (subject.isolate && isSuspect && !isolated) for (const check of failed) await run(check, runAlone);
  } finally {
    await parallel.close();
  }
  return checks.flatMap((check) => {
    const outcome = outcomes.get(check);
    return outcome ? [explain(check, outcome, outcomes.get(severalClis))] : [];
  });
}

/** A companion that does not serve several CLIs fails the check for that, and not every check that connects several. */
function explain(
  check: Check,
  { result, isUnanswered, clis }: Outcome,
  several: Outcome | undefined,
): Result {
  const isItsCause = check !== severalClis && several?.result.status === "failed" && several.isUnanswered;
  if (!isItsCause || result.status !== "failed" || !isUnanswered || clis < 2) return result;
  const message = `it needs several CLIs at once, which this companion leaves unanswered: see ${severalClis.id}`;
  return { ...result, status: "not-run", message };
}

const withNote = (outcome: Outcome, note: string | undefined): Outcome =>
  note === undefined
    ? outcome
    : { ...outcome, result: { ...outcome.result, evidence: [note, ...outcome.result.evidence] } };
