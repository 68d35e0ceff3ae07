import { groups, groupTitles } from "../requirements/index.ts";
import type { Result } from "../run/result.ts";
import type { Paint } from "./paint.ts";
import { count, inGroup, isGood, kept, newFailures, type Report } from "./report.ts";

export interface TerminalOptions {
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** Tells every check, and all evidence of those that failed. */
  readonly verbose: boolean;
  readonly strict: boolean;
}

/** A report for people. */
export function describeReport(report: Report, options: TerminalOptions): string {
  const { paint } = options;
  const head = `${paint.bold(report.companion)}  ${paint.dim(`port ${report.port}, for ${report.agents.join(" and ")}`)}`;
  const parts = [
    head,
    groups
      .map((group) => describeGroup(report, inGroup(report, group), groupTitles[group], options))
      .filter((group) => group !== "")
      .join("\n"),
    describeFailures(report, options),
    describeGaps(report, options),
    report.stale.map((text) => `${paint.red("stale")} ${text}`).join("\n"),
    describeSum(report, options),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function describeGroup(
  report: Report,
  results: readonly Result[],
  title: string,
  options: TerminalOptions,
): string {
  if (results.length === 0) return "";
  const { paint, verbose } = options;
  const { passed, failed, known, notRun } = count(report, results);
  const marks = results.map((result) => markOf(report, result, paint)).join("");
  const numbers = [
    `${passed} passed`,
    ...(failed > 0 ? [paint.red(`${failed} failed`)] : []),
    ...(known > 0 ? [paint.yellow(`${known} known`)] : []),
    ...(notRun > 0 ? [paint.dim(`${notRun} not run`)] : []),
  ];
  const line = `${title.padEnd(18)} ${marks}${" ".repeat(Math.max(1, 34 - results.length))}${numbers.join(", ")}`;
  if (!verbose) return line;
  const each = results.map(
    (result) => `  ${markOf(report, result, paint)} ${result.title} ${paint.dim(result.check)}`,
  );
  return [line, ...each].join("\n");
}

function markOf({ known }: Report, { status, level, check }: Result, paint: Paint): string {
  if (status === "passed") return paint.green("✓");
  if (status === "not-run") return paint.dim("·");
  if (known.includes(check)) return paint.yellow("~");
  return level === "MUST" ? paint.red("✗") : paint.yellow("✗");
}

function describeFailures(report: Report, options: TerminalOptions): string {
  const { paint, verbose } = options;
  return newFailures(report)
    .map((result) => {
      const level = result.level === "MUST" ? paint.red(result.level) : paint.yellow(result.level);
      const lines = [
        `${level} ${paint.bold(`not kept: ${result.title}`)} ${paint.dim(`${result.requirements.join(", ")}, ${result.check}`)}`,
        ...wrap(result.message ?? "", options.width - 4).map((line) => `    ${line}`),
        ...(verbose
          ? result.evidence
              .flatMap((line) => wrap(line, options.width - 6))
              .map((line) => paint.dim(`      ${line}`))
          : []),
      ];
      return lines.join("\n");
    })
    .join("\n\n");
}

/** What was not run, by the reason. */
function describeGaps({ results }: Report, { paint, width, verbose }: TerminalOptions): string {
  const reasons = new Map<string, string[]>();
  for (const { status, message = "", check } of results) {
    if (status === "not-run") reasons.set(message, [...(reasons.get(message) ?? []), check]);
  }
  return [...reasons]
    .map(([reason, ids]) => {
      const which = verbose || ids.length <= 3 ? ids.join(", ") : `${ids.length} checks`;
      return wrap(`Not run: ${which}: ${reason}`, width).map(paint.dim).join("\n");
    })
    .join("\n");
}

function describeSum(report: Report, { paint, strict }: TerminalOptions): string {
  const levels = (["MUST", "SHOULD", "MAY"] as const).flatMap((level) => {
    const { kept: good, checked } = kept(report, level);
    if (checked === 0) return [];
    const text = `${level} ${good} of ${checked}`;
    if (good === checked) return paint.green(text);
    return level === "MUST" ? paint.red(text) : paint.yellow(text);
  });
  const seconds = (report.milliseconds / 1000).toFixed(1);
  const { notRun } = count(report);
  const gaps = notRun === 0 ? "" : `, ${notRun} checks not run`;
  const word = isGood(report, strict)
    ? paint.green(paint.bold("The contract is kept."))
    : paint.red(paint.bold("The contract is not kept."));
  return `${word} Rules kept: ${levels.join(", ")}${gaps}; ${seconds} s.`;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
