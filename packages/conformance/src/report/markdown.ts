import { groups, groupTitles, type Level } from "../requirements/index.ts";
import { count, countRules, inGroup, type Report } from "./report.ts";

const levels: readonly Level[] = ["MUST", "SHOULD", "MAY"];

/** A table of badges for a README. */
export function toMarkdown(report: Report): string {
  const rules = levels.map((level) => {
    const { fulfilled: good, checked } = countRules(report, level);
    return `**${level}** ${good}/${checked} ${good === checked ? "✅" : level === "MUST" ? "❌" : "⚠️"}`;
  });
  const rows = groups.map((group) => {
    const { passed, failed, known, notRun } = count(report, inGroup(report, group));
    const mark = failed > 0 ? "❌" : known > 0 ? "⚠️" : passed > 0 ? "✅" : "➖";
    return `| ${groupTitles[group]} | ${mark} | ${passed} | ${failed + known} | ${notRun} |`;
  });
  return [
    `IDE companion contract, ${report.agents.join(" and ")}: ${rules.join(" · ")}`,
    "",
    "| | | passed | failed | not run |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    `<sub>${report.companion}, checked by ide-companion-conformance on ${report.startedAt.slice(0, 10)}</sub>`,
    "",
  ].join("\n");
}
