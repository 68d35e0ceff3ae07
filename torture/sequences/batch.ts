import fc from "fast-check";
import { messageOf } from "../../packages/companion/src/system/error-message.ts";
import type { Report } from "../torture.ts";
import { describe, type Sequence, sequences } from "./action.ts";
import type { Fixtures } from "./fixtures.ts";
import { perform } from "./perform.ts";

/** How a sequence that breaks something is shortened, in milliseconds. */
const shrinking = {
  /** Time limit. */
  time: 60_000,
  /** A shorter limit for effects: a fault is known already. */
  effect: 3000,
};

export interface Batch {
  readonly seed: number;
  readonly count: number;
  /** See `sequences` in action.ts. */
  readonly kills: number;
  /** Whether to end in the middle. */
  readonly isOver: () => boolean;
  /** Called for each sequence that broke nothing. */
  readonly onPerformed: (bursts: number) => void;
  /** Called for the first that did, before it is shortened. */
  readonly onFailed: () => void;
  readonly report: Report;
}

/**
 * Performs random sequences of one seed, as many as there is time for. Reports a broken promise with the shortest
 * sequence that breaks it.
 */
export async function performBatch(
  fixtures: Fixtures,
  { seed, count, kills, isOver, onPerformed, onFailed, report }: Batch,
): Promise<void> {
  const again = `(at once with --seed ${seed})`;
  let failedAt: number | undefined;
  const property = fc.asyncProperty(sequences(kills), async (sequence: Sequence) => {
    const isTimeUp = failedAt === undefined ? isOver() : performance.now() - failedAt > shrinking.time;
    if (isTimeUp) throw new fc.PreconditionFailure(true);
    try {
      await fixtures.use((fixture) =>
        perform(fixture, sequence, failedAt !== undefined ? shrinking.effect : undefined),
      );
      if (failedAt === undefined) onPerformed(sequence.bursts.length);
    } catch (error) {
      if (failedAt === undefined) {
        failedAt = performance.now();
        onFailed();
        report.suspect(`${messageOf(error)}\n${again}`, describe(sequence));
      }
      throw error;
    }
  });
  const { counterexample, errorInstance } = await fc.check(property, { seed, numRuns: count });
  if (counterexample === null) return;
  const [shortest] = counterexample;
  report.broken(`${messageOf(errorInstance)}\n${again}`, describe(shortest));
}
