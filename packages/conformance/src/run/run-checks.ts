import type { Check, Lane } from "../checks/check.ts";
import type { Result } from "./result.ts";
import { runCheck, type Subject } from "./run-check.ts";

/** Checks of one lane at once. They mostly wait. */
const width: Readonly<Record<Lane, number>> = { wire: 8, editor: 1, process: 1 };

export interface Progress {
  readonly done: number;
  readonly of: number;
  /** Titles of the checks that run now. */
  readonly running: readonly string[];
}

/** Runs checks, each in its lane, all lanes at once; the results in the order of the checks. */
export async function runChecks(
  checks: readonly Check[],
  subject: Subject,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Result[]> {
  const results = new Map<Check, Result>();
  const running = new Set<Check>();
  const tell = () =>
    onProgress({ done: results.size, of: checks.length, running: [...running].map(({ title }) => title) });
  const run = async (check: Check) => {
    running.add(check);
    tell();
    results.set(check, await runCheck(check, subject));
    running.delete(check);
    tell();
  };
  await Promise.all(
    Object.entries(width).map(([lane, count]) =>
      runLane(
        checks.filter((check) => check.lane === lane),
        count,
        run,
      ),
    ),
  );
  return checks.flatMap((check) => results.get(check) ?? []);
}

async function runLane(checks: Check[], count: number, run: (check: Check) => Promise<void>): Promise<void> {
  const waiting = checks[Symbol.iterator]();
  const worker = async () => {
    for (const check of waiting) await run(check);
  };
  await Promise.all(Array.from({ length: count }, worker));
}
