import { readFile, writeFile } from "node:fs/promises";
import { claudeCode } from "./dist/contracts/claude-code/contract.js";
import { codexCli } from "./dist/contracts/codex-cli/contract.js";
import { copilotCli } from "./dist/contracts/copilot-cli/contract.js";
import { geminiFamily } from "./dist/contracts/gemini-family/contract.js";
import { hooks } from "./dist/contracts/hooks/contract.js";

/** Each contract and its page. */
const pages = [
  { contract: geminiFamily, name: "contract.md" },
  { contract: claudeCode, name: "claude-code.md" },
  { contract: codexCli, name: "codex-cli.md" },
  { contract: copilotCli, name: "copilot-cli.md" },
  { contract: hooks, name: "hooks.md" },
];

/** Rewrites the tables of the contracts' pages, each between the two comments that name its group. */
export async function documentRequirements() {
  for (const { contract, name } of pages) {
    const page = new URL(`../../docs/reference/${name}`, import.meta.url);
    let text = await readFile(page, "utf8");
    for (const group of contract.rules.titles.keys()) text = withTable(text, group, contract, name);
    await writeFile(page, text);
  }
}

function withTable(text, group, contract, name) {
  const [begin, end] = [`<!-- ${group}: made from packages/conformance -->`, "<!-- end -->"];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0)
    throw new Error(`docs/reference/${name} has no location for the table of ${group}: ${begin} … ${end}`);
  const own = contract.rules.requirements.filter((requirement) => requirement.group === group);
  const rows = own.map((requirement) => toRow(requirement, contract.whomOf(requirement.id)));
  const table = ["| | | rule | because |", "|---|---|---|---|", ...rows].join("\n");
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`;
}

function toRow({ id, level, rule, sources, unchecked }, agent) {
  const whom = agent === undefined ? "" : `${agent}: `;
  const why = sources.map(toReason).join(" ");
  const open = unchecked === undefined ? "" : ` *Not checked: ${unchecked}*`;
  return `| ${[`<a id="${id.toLowerCase()}"></a>${id}`, level, `${whom}${rule}`, `${why}${open}`].join(" | ")} |`;
}

const marks = { specification: "S", protocol: "S", observed: "O", code: "C", recommended: "R" };

function toReason({ kind, location, says }) {
  return `**${marks[kind]}** ${says}${location === "" ? "" : ` (${location})`}`;
}
