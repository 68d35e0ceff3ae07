import { groups, groupTitles } from "../requirements/index.ts";
import type { Result } from "../run/result.ts";
import { count, inGroup, type Report } from "./report.ts";

/** The report in JUnit format for build servers, one suite per group. Known failures are skipped there. */
export function toJunit(report: Report): string {
  const suites = groups.map((group) => {
    const results = inGroup(report, group);
    const { failed, known, notRun } = count(report, results);
    const cases = results.map((result) => toCase(report, result)).join("");
    const numbers = `tests="${results.length}" failures="${failed}" skipped="${known + notRun}"`;
    return `  <testsuite name="${escapeXml(groupTitles[group])}" ${numbers}>\n${cases}  </testsuite>\n`;
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
