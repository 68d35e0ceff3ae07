import { describeSamples, type Holding, measure, type Slack, whatHasGrown } from "../harness/measure.ts";
import type { PartOptions } from "../torture.ts";
import { performBatch } from "./batch.ts";
import { createFixtures } from "./fixtures.ts";

/** Sequences of one seed, which repeats them. */
const batch = 50;

export interface Amount {
  readonly count: number;
  /** A whole number; see `sequences` in action.ts. */
  readonly kills: number;
  /** How many sequences run concurrently. */
  readonly width: number;
  /** What this process, with its companions and CLIs, may hold more of at the end than at first. */
  readonly slack: Slack;
}

/** Performs random sequences until there are enough of them, or the time is over. */
export async function runSequences(
  { minutes, seed, report }: PartOptions,
  { count, kills, width, slack }: Amount,
): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  const lanes = Array.from({ length: width }, createFixtures);
  const samples: Holding[] = [];
  let performed = 0;
  let bursts = 0;
  let hasFailed = false;
  const isOver = () => hasFailed || performance.now() > deadline;
  const onFailed = () => {
    hasFailed = true;
  };
  const onPerformed = (burstCount: number) => {
    performed += 1;
    bursts += burstCount;
    report.progress(`${performed} of ${count} sequences, ${bursts} bursts`);
  };
  try {
    for (let begun = 0; begun < count && !isOver(); begun += width * batch) {
      const batches = lanes
        .map((fixtures, lane) => ({ fixtures, start: begun + lane * batch }))
        .filter(({ start }) => start < count)
        .map(({ fixtures, start }) => {
          const [batchSeed, size] = [(seed + start / batch) % 2 ** 32, Math.min(batch, count - start)];
          return performBatch(fixtures, {
            seed: batchSeed,
            count: size,
            kills,
            isOver,
            onPerformed,
            onFailed,
            report,
          });
        });
      await Promise.all(batches);
      samples.push(await measure());
    }
  } finally {
    await Promise.all(lanes.map((fixtures) => fixtures.close()));
  }
  for (const grown of whatHasGrown(samples, slack)) report.broken(grown, JSON.stringify(samples));
  report.figure("sequences", performed);
  report.figure("bursts", bursts);
  report.figure(`samples: ${describeSamples(samples)}`, samples.length);
}
