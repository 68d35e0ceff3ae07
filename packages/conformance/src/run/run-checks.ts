import type { Check, Lane } from "../checks/check.ts";
import { createNeighbours } from "./neighbours.ts";
import type { Result } from "./result.ts";
import { runCheck, type Subject } from "./run-check.ts";

/** Checks of one lane at once. They mostly wait. */
const width: Readonly<Record<Lane, number>> = { wire: 8, editor: 1, proposals: 4, neighbours: 1, process: 1 };

export interface Progress {
  readonly done: number;
  readonly of: number;
  /** Titles of the checks that run now. */
  readonly running: readonly string[];
}

/** Runs checks, each in its lane, and lanes at once; the results in the order of the checks. */
export async function runChecks(
  checks: readonly Check[],
  subject: Subject,
  onProgress: (progress: Progress) => void = () => {},
): Promise<Result[]> {
  const results = new Map<Check, Result>();
  const running = new Set<Check>();
  const neighbours = createNeighbours(subject);
  const tell = () =>
    onProgress({ done: results.size, of: checks.length, running: [...running].map(({ title }) => title) });
  const run = async (check: Check) => {
    running.add(check);
    tell();
    results.set(check, await runCheck(check, subject, neighbours));
    running.delete(check);
    tell();
  };
  const runLane = async (lane: Lane) => {
    const waiting = checks.filter((check) => check.lane === lane)[Symbol.iterator]();
    const worker = async () => {
      for (const check of waiting) await run(check);
    };
    await Promise.all(Array.from({ length: width[lane] }, worker));
  };
  const diffs = async () => {
    await runLane("editor");
    // Diffs that open by themselves would come between the user and what they do.
    await runLane("proposals");
  };
  try {
    await Promise.all([runLane("wire"), diffs(), runLane("neighbours"), runLane("process")]);
  } finally {
    await neighbours.close();
  }
  return checks.flatMap((check) => results.get(check) ?? []);
}
