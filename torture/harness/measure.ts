import { readdirSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** What a process holds at one moment: bytes and counts. */
export type Holding = Awaited<ReturnType<typeof measure>>;

/** What this process holds, after a full collection; descriptors on Linux only, elsewhere 0. */
export async function measure() {
  for (let round = 0; round < 3; round++) {
    collect();
    await nextTurn(); // finalizers run here
  }
  const { heapUsed, rss } = process.memoryUsage();
  const descriptors = process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
  // Timers come and go; what is open stays.
  const handles = process.getActiveResourcesInfo().filter((name) => !/Timeout|Immediate/.test(name)).length;
  return { heap: heapUsed, resident: rss, descriptors, handles };
}

/** What may differ between the first quarter and the last one. */
export interface Slack {
  /** Bytes. */
  readonly heap: number;
  /** Bytes. */
  readonly resident: number;
  /** Of descriptors and of handles. */
  readonly count: number;
}

/**
 * What has grown from the first quarter of the samples to the last one, by their medians.
 * @returns sentences; none when everything is flat
 */
export function whatHasGrown(samples: readonly Holding[], slack: Slack): string[] {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)];
  const limits = {
    heap: slack.heap,
    resident: slack.resident,
    descriptors: slack.count,
    handles: slack.count,
  };
  return Object.entries(limits).flatMap(([name, limit]) => {
    const of = (some: readonly Holding[]) => median(some.map((each) => each[name as keyof Holding]));
    const growth = of(last) - of(first);
    return growth > limit
      ? [`${name} has grown from ${of(first)} to ${of(last)}, ${limit} more are allowed`]
      : [];
  });
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The first sample and the last one, for people. */
export function describeSamples(samples: readonly Holding[]): string {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return "not measured";
  const usual = median(samples.map(({ heap }) => heap));
  return (
    `heap ${megabytes(first.heap)} to ${megabytes(last.heap)} (median ${megabytes(usual)}), ` +
    `resident ${megabytes(first.resident)} to ${megabytes(last.resident)}, ` +
    `descriptors ${first.descriptors} to ${last.descriptors}, handles ${first.handles} to ${last.handles}`
  );
}

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
