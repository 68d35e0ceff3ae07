import type { Report } from "../part.ts";
import { now } from "./until.ts";

/** Between two lines of progress, in milliseconds. */
const interval = 10_000;

/** Prints what a part reports while it runs. */
export interface RunReport extends Report {
  /** `10000 sequences` */
  readonly figures: readonly string[];
  readonly brokenCount: number;
}

export function createRunReport(name: string, print: (line: string) => void): RunReport {
  const figures: string[] = [];
  const started = now();
  let lastPrinted = started;
  let brokenCount = 0;
  return {
    figures,
    get brokenCount() {
      return brokenCount;
    },
    progress(text) {
      if (now() - lastPrinted < interval) return;
      lastPrinted = now();
      print(`  ${Math.round((lastPrinted - started) / 1000)} s: ${text}`);
    },
    figure(what, value) {
      figures.push(`${value} ${what}`);
    },
    suspect(symptom, sequence) {
      print(
        `  A promise seems broken in ${name}; searching the shortest sequence: ${symptom}\n${indent(sequence)}`,
      );
    },
    broken(symptom, sequence) {
      brokenCount += 1;
      print(`  BROKEN in ${name}: ${symptom}${sequence === undefined ? "" : `\n${indent(sequence)}`}`);
    },
  };
}

const indent = (text: string) => text.replaceAll(/^/gm, "    ");
