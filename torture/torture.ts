import { test } from "vitest";

export interface PartOptions {
  /** How long it may take; a fraction is fine. */
  readonly minutes: number;
  /** A whole number from 0 to 2³²−1: the same seed repeats the same run. */
  readonly seed: number;
  readonly report: Report;
}

/** Receives what a part does. */
export interface Report {
  /** Progress, as often as the part likes: `1200 of 10000 sequences`. */
  progress(text: string): void;
  /** What it has done: `sequences`, `10000`. */
  figure(name: string, value: string | number): void;
  /** A promise seems broken, and the sequence is being shortened; `broken` follows when that is done. */
  suspect(symptom: string, sequence: string): void;
  /**
   * A promise was broken; the part may go on.
   * @param symptom what was seen, as a user would report it
   * @param sequence the shortest one that leads there
   */
  broken(symptom: string, sequence?: string): void;
}

/** Between two lines of progress, in milliseconds. */
const interval = 10_000;

/** Collects what a part reports. @param print for those who watch it */
export function createReport(print: (line: string) => void = () => {}) {
  const broken: string[] = [];
  const figures: Record<string, string | number> = {};
  const started = performance.now();
  let lastPrinted = started;
  const report: Report = {
    progress(text) {
      if (performance.now() - lastPrinted < interval) return;
      lastPrinted = performance.now();
      print(`${Math.round((lastPrinted - started) / 1000)} s: ${text}`);
    },
    figure(name, value) {
      figures[name] = value;
    },
    suspect: (symptom, sequence) =>
      print(`A promise seems broken; searching the shortest sequence: ${symptom}\n${sequence}`),
    broken: (symptom, sequence = "") => void broken.push(`${symptom}\n${sequence}`),
  };
  return { report, broken, figures };
}

/**
 * A part of `npm run torture`, which may set these variables: one way to break what the companion promises.
 * @param sentence what it tries
 * @param run ends after about these minutes, or sooner when everything has been tried
 */
export function torture(name: string, sentence: string, run: (options: PartOptions) => Promise<void>): void {
  const [minutes, seed] = [Number(process.env.TORTURE_MINUTES ?? 5), Number(process.env.TORTURE_SEED ?? 1)];
  // With time to shorten a sequence.
  test(`${name}: ${sentence}`, { timeout: (minutes + 10) * 60_000 }, async () => {
    const { report, broken, figures } = createReport(console.log);
    await run({ minutes, seed, report }).catch((error: Error) => report.broken(error.stack ?? error.message));
    console.log(
      Object.entries(figures)
        .map(([what, value]) => `${value} ${what}`)
        .join(", "),
    );
    if (broken.length === 0) return;
    const again = `Reproduce it with: npm run torture -- ${name} --minutes ${minutes} --seed ${seed}`;
    throw new Error([...broken, again].join("\n"));
  });
}
