import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Part, Report } from "./part.ts";

export interface TortureOptions {
  readonly parts: readonly Part[];
  readonly print: (line: string) => void;
}

/**
 * `npm run torture`: runs the parts one after another.
 * @returns the exit code: 0 when every promise held, 1 when one was broken, 2 when the arguments are wrong
 */
export async function torture(args: readonly string[], { parts, print }: TortureOptions): Promise<number> {
  const wanted = parse(args, parts);
  if ("reason" in wanted) {
    print(`${wanted.reason}\n\n${helpFor(parts)}`);
    return 2;
  }
  if (wanted.help) {
    print(helpFor(parts));
    return 0;
  }
  const { minutes, seed } = wanted;
  print(`Seed ${seed}, at most ${minutes} minutes a part.`);
  const results: Result[] = [];
  for (const part of wanted.parts) results.push(await run(part, { minutes, seed, print }));
  print(`\n${toTable(results)}`);
  const broken = results.filter((result) => result.broken > 0);
  for (const { name } of broken) {
    print(`\nReproduce it with: npm run torture -- ${name} --minutes ${minutes} --seed ${seed}`);
  }
  return broken.length > 0 ? 1 : 0;
}

interface Result {
  readonly name: string;
  readonly seconds: number;
  readonly figures: readonly string[];
  readonly broken: number;
}

async function run(
  part: Part,
  options: { minutes: number; seed: number; print: (line: string) => void },
): Promise<Result> {
  const { minutes, seed, print } = options;
  print(`\n${part.name}: ${part.sentence}`);
  const started = performance.now();
  const report = createRunReport(part.name, print);
  try {
    await part.run({ minutes, seed, report });
  } catch (error) {
    report.broken(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  return { name: part.name, seconds, figures: report.figures, broken: report.brokenCount };
}

function toTable(results: readonly Result[]): string {
  const rows = results.map(({ name, seconds, figures, broken }) => [
    name,
    `${seconds} s`,
    broken === 0 ? "held" : `BROKEN ${broken}×`,
    figures.join(", "),
  ]);
  const table = [["part", "time", "result", "figures"], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const toLine = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return table.map((row) => toLine(row).trimEnd()).join("\n");
}

type Wanted = { help: boolean; parts: readonly Part[]; minutes: number; seed: number } | { reason: string };

function parse(args: readonly string[], parts: readonly Part[]): Wanted {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        minutes: { type: "string", default: "5" },
        seed: { type: "string", default: String(randomInt(2 ** 32)) },
        help: { type: "boolean", default: false },
      },
    });
    const minutes = Number(values.minutes);
    if (!(minutes > 0) || minutes === Infinity) {
      return { reason: `--minutes must be a number above 0, got ${JSON.stringify(values.minutes)}` };
    }
    const seed = Number(values.seed);
    if (!Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
      return {
        reason: `--seed must be a whole number from 0 to ${2 ** 32 - 1}, got ${JSON.stringify(values.seed)}`,
      };
    }
    const unknown = positionals.find((name) => parts.every((part) => part.name !== name));
    if (unknown !== undefined) {
      return { reason: `there is no part ${JSON.stringify(unknown)}` };
    }
    const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    return { help: values.help, parts: chosen, minutes, seed };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

function helpFor(parts: readonly Part[]): string {
  const width = Math.max(0, ...parts.map(({ name }) => name.length));
  return `Usage: npm run torture -- [part…] [--minutes N] [--seed S]

Tries to break what the companion promises. If it succeeds, it prints the seed and the shortest sequence
that reproduces it, and exits with 1.

Parts, all by default:
${parts.map(({ name, sentence }) => `  ${name.padEnd(width)}  ${sentence}`).join("\n")}

Options:
  --minutes N  how long each part may take (5)
  --seed S     decides what is tried; a random one by default, which is printed
  --help       this text`;
}

/** Between two lines of progress, in milliseconds. */
const interval = 10_000;

/** Prints what a part reports while it runs. */
interface RunReport extends Report {
  /** `10000 sequences` */
  readonly figures: readonly string[];
  readonly brokenCount: number;
}

function createRunReport(name: string, print: (line: string) => void): RunReport {
  const figures: string[] = [];
  const started = performance.now();
  let lastPrinted = started;
  let brokenCount = 0;
  return {
    figures,
    get brokenCount() {
      return brokenCount;
    },
    progress(text) {
      if (performance.now() - lastPrinted < interval) return;
      lastPrinted = performance.now();
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
