import type { Level } from "../requirements/requirement.ts";
import type { RuleBook } from "../requirements/rule-book.ts";
import type { Result } from "../run/result.ts";
import { count, countRules, inGroup, type Report, stateOf } from "./report.ts";

/** The whole report with its evidence, for programs. */
export function toJson(report: Report, { requirements }: RuleBook): string {
  const rules = requirements.map((requirement) => ({ ...requirement, state: stateOf(report, requirement) }));
  return `${JSON.stringify({ ...report, rules }, null, 2)}\n`;
}

/** The report in JUnit format for build servers, one suite per group. Known failures are skipped there. */
export function toJunit(report: Report, { groups, titleOf }: RuleBook): string {
  const suites = groups.map((group) => {
    const results = inGroup(report, group);
    const { failed, known, notRun } = count(report, results);
    const cases = results.map((result) => toCase(report, result)).join("");
    const numbers = `tests="${results.length}" failures="${failed}" skipped="${known + notRun}"`;
    return `  <testsuite name="${escapeXml(titleOf(group))}" ${numbers}>\n${cases}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeXml(report.companion)}">\n${suites.join("")}</testsuites>\n`;
}

function toCase({ known }: Report, result: Result): string {
  const { check, title, level, requirements, status, message = "", evidence, milliseconds } = result;
  const name = `${title} (${level} ${requirements.join(", ")})`;
  const open = `    <testcase classname="${check}" name="${escapeXml(name)}" time="${milliseconds / 1000}">`;
  const said = escapeXml(message);
  const log = escapeXml(evidence.join("\n"));
  if (status === "passed") return `${open}</testcase>\n`;
  if (status === "not-run") return `${open}<skipped message="${said}"/></testcase>\n`;
  if (known.includes(check)) return `${open}<skipped message="known to fail: ${said}"/></testcase>\n`;
  return `${open}<failure message="${said}">${log}</failure></testcase>\n`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  // XML cannot express most control characters.
  const clean = text.toWellFormed().replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
  return clean.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}

const levels: readonly Level[] = ["MUST", "SHOULD", "MAY"];

/** A table of badges for a README. */
export function toMarkdown(report: Report, rules: RuleBook): string {
  const badges = levels.map((level) => {
    const { fulfilled: good, checked } = countRules(report, level, rules);
    return `**${level}** ${good}/${checked} ${good === checked ? "✅" : level === "MUST" ? "❌" : "⚠️"}`;
  });
  const rows = rules.groups.map((group) => {
    const { passed, failed, known, notRun } = count(report, inGroup(report, group));
    const mark = failed > 0 ? "❌" : known > 0 ? "⚠️" : passed > 0 ? "✅" : "➖";
    return `| ${rules.titleOf(group)} | ${mark} | ${passed} | ${failed + known} | ${notRun} |`;
  });
  return [
    `IDE companion contract, ${report.agents.join(" and ")}: ${badges.join(" · ")}`,
    "",
    "| | | passed | failed | not run |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    `<sub>${report.companion}, checked by ide-companion-conformance on ${report.startedAt.slice(0, 10)}</sub>`,
    "",
  ].join("\n");
}
