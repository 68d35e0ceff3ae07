import { requirements } from "../requirements/index.ts";
import { type Report, stateOf } from "./report.ts";

/** The whole report with its evidence, for programs. */
export function toJson(report: Report): string {
  const rules = requirements.map((requirement) => ({ ...requirement, state: stateOf(report, requirement) }));
  return `${JSON.stringify({ ...report, rules }, null, 2)}\n`;
}
