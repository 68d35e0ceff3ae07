import type { Report } from "../part.ts";
import { now } from "./until.ts";

/** Between two lines that tell how far a part is, in milliseconds. */
const interval = 10_000;

/** What a part has told, shown as it goes. */
export interface RunReport extends Report {
  /** `10000 sequences` */
  readonly figures: readonly string[];
  readonly brokenCount: number;
}

export function createRunReport(name: string, print: (line: string) => void): RunReport {
  const figures: string[] = [];
  const started = now();
  let told = started;
  let brokenCount = 0;
  return {
    figures,
    get brokenCount() {
      return brokenCount;
    },
    progress(text) {
      if (now() - told < interval) return;
      told = now();
      print(`  ${Math.round((told - started) / 1000)} s: ${text}`);
    },
    figure(what, value) {
      figures.push(`${value} ${what}`);
    },
    suspect(symptom, sequence) {
      print(
        `  Something is wrong in ${name}; looking for the shortest way there: ${symptom}\n${indent(sequence)}`,
      );
    },
    broken(symptom, sequence) {
      brokenCount += 1;
      print(`  BROKEN in ${name}: ${symptom}${sequence === undefined ? "" : `\n${indent(sequence)}`}`);
    },
  };
}

const indent = (text: string) => text.replaceAll(/^/gm, "    ");
