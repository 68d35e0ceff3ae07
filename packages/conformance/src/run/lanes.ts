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
  /** The check that shows whether a CLI can connect. */
  readonly handshake: Check;
  /** The check that shows whether the companion serves several CLIs. */
  readonly severalClis: Check;
}

/**
 * Runs checks, each in its lane, and the lanes concurrently; with a companion that cannot be started again, one check
 * after the other. Then every check that failed runs again, with no other at its side.
 * @returns the results in the order of the checks
 */
export async function runLanes<Check extends CheckHead, Subject>(
  checks: readonly Check[],
  runner: Runner<Check, Subject>,
  { onProgress = () => {}, isolated = false }: RunOptions = {},
): Promise<Result[]> {
  const { subject, handshake, severalClis } = runner;
  const outcomes = new Map<Check, Outcome>();
  const running = new Set<Check>();
  /** Why no more checks can use the shared companion. */
  let whyOver: string | undefined;
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
    if (subject.companion?.hasEnded()) whyOver ??= "the companion had ended";
    if (whyOver !== undefined) return withoutRun(check, "not-run", whyOver);
    const outcome = await runner.run(check, subject);
    const isSuspect = outcome.isUnanswered || outcome.result.status === "failed";
    if (isSuspect && whyOver === undefined && (await hangs()))
      whyOver ??= `the companion answers nothing any more since ${check.id}`;
    return outcome;
  };
  /** Whether not even a new CLI gets an answer. */
  const hangs = async () => {
    const { isUnanswered, result } = await runner.run(handshake, subject);
    return isUnanswered && result.status === "failed";
  };
  const runAlone = async (check: Check): Promise<Outcome> => {
    const former = outcomes.get(check)?.result;
    const note =
      former?.status === "failed"
        ? `This is the second run, alone. Together with other checks it failed: ${former.message}`
        : undefined;
    try {
      const alone = await subject.isolate?.();
      if (!alone) return withNote(await runShared(check), note);
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
    return { result, isUnanswered: false, isUnconnected: false, clis: 0 };
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
  const isShared = ({ lane }: Check) => shared.includes(lane);
  // What makes it hang is known only when nothing else runs.
  const isOneByOne = subject.isolate === undefined && checks.length > 1;
  const others = Promise.all([runLane("parallel"), runLane("process")]);
  if (isOneByOne) {
    const lastWhatMayHang = checks
      .filter(isShared)
      .toSorted((one, other) => Number(one.mayHang ?? false) - Number(other.mayHang ?? false));
    for (const check of lastWhatMayHang) await run(check, runShared);
  } else await Promise.all([runLane("wire"), diffs()]);
  await others;
  if (subject.isolate && !isolated && checks.length > 1) {
    // Another companion may well end, too.
    const isAgain = ({ status, message }: Result) =>
      !subject.companion?.hasEnded() &&
      (status === "failed" || (message !== undefined && message === whyOver));
    for (const check of checks.filter(isShared)) {
      const former = outcomes.get(check);
      if (former && isAgain(former.result)) await run(check, runAlone);
    }
  }
  return checks.flatMap((check) => {
    const outcome = outcomes.get(check);
    return outcome ? [explain(check, outcome, { handshake, severalClis, outcomes })] : [];
  });
}

/** What fails for the reason for which another check fails is not run: one fault, one failure. */
function explain<Check extends CheckHead>(
  check: Check,
  { result, isUnanswered, isUnconnected, clis }: Outcome,
  {
    handshake,
    severalClis,
    outcomes,
  }: { handshake: Check; severalClis: Check; outcomes: ReadonlyMap<Check, Outcome> },
): Result {
  if (result.status !== "failed") return result;
  const instead = (message: string): Result => ({ ...result, status: "not-run", message });
  const [greeting, several] = [outcomes.get(handshake), outcomes.get(severalClis)];
  if (check !== handshake && isUnconnected && greeting?.result.status === "failed")
    return instead(`no CLI can connect: see ${handshake.id}`);
  const isForSeveral = several?.result.status === "failed" && several.isUnanswered;
  if (check !== severalClis && isForSeveral && isUnanswered && clis > 1)
    return instead(
      `it needs several CLIs at once, which this companion leaves unanswered: see ${severalClis.id}`,
    );
  return result;
}

const withNote = (outcome: Outcome, note: string | undefined): Outcome =>
  note === undefined
    ? outcome
    : { ...outcome, result: { ...outcome.result, evidence: [note, ...outcome.result.evidence] } };
