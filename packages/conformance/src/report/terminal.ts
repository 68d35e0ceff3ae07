import { levels, type RuleBook } from "../contracts/requirement.ts";
import type { Result } from "../run/result.ts";
import { type Paint, wrap } from "./paint.ts";
import { count, countRules, inGroup, isGood, type Report } from "./report.ts";

export interface TerminalOptions {
  readonly rules: RuleBook;
  readonly paint: Paint;
  /** Columns. */
  readonly width: number;
  /** Shows every check, and all evidence of those that failed. */
  readonly verbose: boolean;
  readonly strict: boolean;
}

/** A report for people. */
export function describeReport(report: Report, options: TerminalOptions): string {
  const { paint, rules } = options;
  const head = `${paint.bold(report.companion)}  ${paint.dim(`${report.address}, for ${report.agents.join(" and ")}`)}`;
  const parts = [
    head,
    [...rules.titles]
      .map(([group, title]) => describeGroup(report, inGroup(report, group), title, options))
      .filter((group) => group !== "")
      .join("\n"),
    describeFailures(report, options),
    describeGaps(report, options),
    describeEnd(report, options),
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
  const { passed, failed, notRun } = count(results);
  const numbers = [
    `${passed} passed`,
    ...(failed > 0 ? [paint.red(`${failed} failed`)] : []),
    ...(notRun > 0 ? [paint.dim(`${notRun} not run`)] : []),
  ];
  const lines = inRows(report, results, options).map((marks, row) =>
    `${(row === 0 ? title : "").padEnd(titleWidth)}${marks}${row === 0 ? numbers.join(", ") : ""}`.trimEnd(),
  );
  if (!verbose) return lines.join("\n");
  const each = results.map(
    (result) => `  ${markOf(result, paint)} ${result.title} ${paint.dim(result.check)}`,
  );
  return [...lines, ...each].join("\n");
}

/** Columns of a group's title, and of its numbers at most. */
const [titleWidth, numbersWidth] = [19, 32];

/** The marks of a group, in as many rows as the terminal needs; equally wide for all groups. */
function inRows(
  report: Report,
  results: readonly Result[],
  { paint, rules, width }: TerminalOptions,
): readonly string[] {
  const longest = Math.max(...[...rules.titles.keys()].map((group) => inGroup(report, group).length));
  const columns = Math.max(10, Math.min(longest, width - titleWidth - numbersWidth));
  const rows: string[] = [];
  for (let from = 0; from < results.length; from += columns) {
    const row = results.slice(from, from + columns);
    const marks = row.map((result) => markOf(result, paint)).join("");
    rows.push(marks + " ".repeat(columns - row.length + 1));
  }
  return rows;
}

function markOf({ status, level }: Result, paint: Paint): string {
  if (status === "passed") return paint.green("✓");
  if (status === "not-run") return paint.dim("·");
  return level === "MUST" ? paint.red("✗") : paint.yellow("✗");
}

function describeFailures(report: Report, options: TerminalOptions): string {
  const { paint, rules, verbose } = options;
  return inOrder(report.results, rules)
    .map((result) => {
      const level = result.level === "MUST" ? paint.red(result.level) : paint.yellow(result.level);
      const lines = [
        `${level} ${paint.bold(`broken: ${result.title}`)} ${paint.dim(`${result.requirements.join(", ")}, ${result.check}`)}`,
        ...wrap(result.message ?? "", options.width - 4).map((line) => `    ${line}`),
        ...wrap(`Because: ${reasonFor(result, rules)}`, options.width - 4).map(
          (line) => `    ${paint.dim(line)}`,
        ),
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

/** What a user's safety rests on comes first, then what a CLI depends on. */
function inOrder(results: readonly Result[], rules: RuleBook): readonly Result[] {
  const weightOf = ({ level, requirements }: Result) =>
    levels.indexOf(level) * 2 + (rules.isSecurity(requirements) ? 0 : 1);
  const failures = results.filter(({ status }) => status === "failed");
  return failures.sort((a, b) => weightOf(a) - weightOf(b));
}

/** Why the first rule of a check is one: what was seen, rather than what is written. */
function reasonFor({ requirements: [first = ""] }: Result, rules: RuleBook): string {
  const { sources } = rules.requirementOf(first);
  const seen = sources.find(({ kind }) => kind === "observed") ?? sources[0];
  if (seen === undefined) throw new Error(`${first} has no source`);
  return seen.location === "" ? seen.says : `${seen.says} (${seen.location})`;
}

/** What explains most of the failures, and comes after them: there it is read. */
function describeEnd({ ended }: Report, { paint, width }: TerminalOptions): string {
  if (ended === undefined) return "";
  const [first = "", ...printed] = ended.split("\n");
  const lines = wrap(`The companion is gone: ${first}`, width).map((line) => paint.red(line));
  return [...lines, ...printed.flatMap((line) => wrap(line, width - 4)).map((line) => `    ${line}`)].join(
    "\n",
  );
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

function describeSum(report: Report, { paint, rules, strict }: TerminalOptions): string {
  const fulfilledOf = levels.flatMap((level) => {
    const { fulfilled: good, checked } = countRules(report, level, rules);
    if (checked === 0) return [];
    const text = `${level} ${good} of ${checked}`;
    if (good === checked) return paint.green(text);
    return level === "MUST" ? paint.red(text) : paint.yellow(text);
  });
  const fulfilled = fulfilledOf.length === 0 ? "" : `\nRules fulfilled: ${fulfilledOf.join(", ")}.`;
  const seconds = (report.milliseconds / 1000).toFixed(1);
  const { notRun } = count(report.results);
  const gaps = notRun === 0 ? "" : `${notRun} not run, `;
  const good =
    fulfilledOf.length === 0
      ? paint.yellow("No rule was checked.")
      : paint.green("The companion fulfils the contract.");
  const word = isGood(report, strict) ? good : paint.red("The companion does not fulfil the contract.");
  return `${paint.bold(word)} ${gaps}${seconds} s.${fulfilled}`;
}
