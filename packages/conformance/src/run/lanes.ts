import type { CheckHead, Lane } from "../contracts/check.ts";
import type { RuleBook } from "../contracts/requirement.ts";
import type { Started } from "../target/process.ts";
import { headOf, type Outcome, type Result } from "./result.ts";
import type { Isolated } from "./subject.ts";

/** How many checks of a lane run concurrently. They mostly wait. */
const width: Readonly<Record<Lane, number>> = { wire: 8, editor: 1, proposals: 4, parallel: 1, process: 1 };

/** The lanes whose checks share one companion, unless they are isolated. */
const shared: readonly Lane[] = ["wire", "editor", "proposals"];

/** How far a run is. */
export interface Progress {
  readonly done: number;
  readonly of: number;
  /** Titles of the checks that run now. */
  readonly running: readonly string[];
}

/** How checks are run. */
export interface RunOptions {
  readonly onProgress?: (progress: Progress) => void;
  /** Starts another companion for each check. */
  readonly isolated?: boolean;
}

/** How the checks of one contract run. */
export interface Runner<Check extends CheckHead, Subject> {
  readonly rules: RuleBook;
  /** The companion that all of them share. */
  readonly subject: Subject & {
    /** Starts another one; absent when none can be started. @throws Error when this one cannot be */
    readonly isolate?: () => Promise<Isolated<Subject>>;
    readonly companion?: Pick<Started<unknown>, "hasEnded">;
  };
  run(check: Check, subject: Subject): Promise<Outcome>;
  /** The check that shows whether the companion serves several CLIs. */
  readonly severalClis: Check;
}

/**
 * Runs checks, each in its lane, and the lanes concurrently. If the companion left a request unanswered, one CLI may have
 * broken another: then every failed check runs again, on another companion.
 * @returns the results in the order of the checks
 */
export async function runLanes<Check extends CheckHead, Subject>(
  checks: readonly Check[],
  runner: Runner<Check, Subject>,
  { onProgress = () => {}, isolated = false }: RunOptions = {},
): Promise<Result[]> {
  const { subject } = runner;
  const outcomes = new Map<Check, Outcome>();
  const running = new Set<Check>();
  const report = () =>
    onProgress({ done: outcomes.size, of: checks.length, running: [...running].map(({ title }) => title) });
  const run = async (check: Check, runOne: (check: Check) => Promise<Outcome>) => {
    running.add(check);
    report();
    outcomes.set(check, await runOne(check));
    running.delete(check);
    report();
  };
  const runShared = async (check: Check): Promise<Outcome> => {
    if (subject.companion?.hasEnded()) return withoutRun(check, "not-run", "the companion had ended");
    return runner.run(check, subject);
  };
  const runAlone = async (check: Check): Promise<Outcome> => {
    const former = outcomes.get(check)?.result.message;
    const note =
      former &&
      `This is the second run, on another companion. Together with other checks it failed: ${former}`;
    try {
      const alone = await subject.isolate?.();
      if (!alone) return await runShared(check);
      try {
        return withNote(await runner.run(check, alone.subject), note);
      } finally {
        await alone.close();
      }
    } catch (error) {
      const message = `no companion could be started for it: ${error instanceof Error ? error.message : error}`;
      return withoutRun(check, "failed", message);
    }
  };
  const withoutRun = (check: Check, status: Result["status"], message: string): Outcome => {
    const result = { ...headOf(check, runner.rules), status, message, evidence: [], milliseconds: 0 };
    return { result, isUnanswered: false, clis: 0 };
  };
  const runLane = async (lane: Lane) => {
    const waiting = checks.filter((check) => check.lane === lane)[Symbol.iterator]();
    const isAlone = isolated && shared.includes(lane);
    const worker = async () => {
      for (const check of waiting) await run(check, isAlone ? runAlone : runShared);
    };
    await Promise.all(Array.from({ length: isAlone ? 1 : width[lane] }, worker));
  };
  const diffs = async () => {
    await runLane("editor");
    // Diffs that open at any time would disturb the user.
    await runLane("proposals");
  };
  await Promise.all([runLane("wire"), diffs(), runLane("parallel"), runLane("process")]);
  const failed = checks.filter(
    (check) => shared.includes(check.lane) && outcomes.get(check)?.result.status === "failed",
  );
  const isSuspect = failed.some((check) => outcomes.get(check)?.isUnanswered);
  if (subject.isolate && isSuspect && !isolated) for (const check of failed) await run(check, runAlone);
  return checks.flatMap((check) => {
    const outcome = outcomes.get(check);
    return outcome ? [explain(check, outcome, runner.severalClis, outcomes.get(runner.severalClis))] : [];
  });
}

/** A companion that does not serve several CLIs fails the check for that, and not every check that connects several. */
function explain<Check extends CheckHead>(
  check: Check,
  { result, isUnanswered, clis }: Outcome,
  severalClis: Check,
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
