import fc from "fast-check";
import type { Part, PartOptions } from "../part.ts";
import { sequences as arbitrary, describe, type Sequence } from "./action.ts";
import { perform } from "./perform.ts";
import { Stage } from "./stage.ts";

/** Sequences between two looks at the clock, and what a seed reproduces at once. */
const batch = 50;
/** Enough for one run. */
const enough = 10_000;

export interface Amount {
  readonly count: number;
  /** A whole number; see `sequences` in action.ts. */
  readonly kills: number;
}

export const sequences: Part = {
  name: "sequences",
  sentence: "three CLIs and two editors do what they like, in any order and at once; some are killed",
  run: (options) => runSequences(options, { count: enough, kills: 1 }),
};

/** Performs random sequences until there are enough of them, or the time is over. */
export async function runSequences(
  { minutes, seed, report }: PartOptions,
  { count, kills }: Amount,
): Promise<void> {
  const deadline = performance.now() + minutes * 60_000;
  const stages = createStages();
  let performed = 0;
  let bursts = 0;
  const property = fc.asyncProperty(arbitrary(kills), async (sequence: Sequence) => {
    bursts += sequence.bursts.length;
    await stages.use((stage) => perform(stage, sequence));
  });
  try {
    while (performed < count && performance.now() < deadline) {
      const batchSeed = (seed + performed / batch) % 2 ** 32;
      const numRuns = Math.min(batch, count - performed);
      const details = await fc.check(property, { seed: batchSeed, numRuns, verbose: 0 });
      if (details.failed) {
        const [shortest] = details.counterexample ?? [];
        const why =
          details.errorInstance instanceof Error
            ? details.errorInstance.message
            : String(details.errorInstance);
        report.broken(`${why}\n(at once with --seed ${batchSeed})`, shortest && describe(shortest));
        break;
      }
      performed += numRuns;
      report.progress(`${performed} of ${count} sequences, ${bursts} bursts`);
    }
  } finally {
    await stages.close();
  }
  report.figure("sequences", performed);
  report.figure("bursts", bursts);
}

/** One stage for all that goes well; once something did not, a fresh one for each try to make it shorter. */
function createStages() {
  let stage: Promise<Stage> | undefined;
  let hasFailed = false;
  const close = async () => {
    const last = await stage;
    stage = undefined;
    await last?.close();
  };
  return {
    close,
    async use(run: (stage: Stage) => Promise<void>): Promise<void> {
      stage ??= Stage.start();
      try {
        await run(await stage);
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        if (hasFailed) await close();
      }
    },
  };
}
