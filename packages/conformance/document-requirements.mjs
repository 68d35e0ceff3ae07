import { readFile, writeFile } from "node:fs/promises";
import { agents } from "./dist/agents.js";
import { groups, requirementGroups } from "./dist/requirements/index.js";

const page = new URL("../../docs/reference/contract.md", import.meta.url);

/** Rewrites the tables of docs/reference/contract.md, each between the two comments that name its group. */
export async function documentRequirements() {
  let text = await readFile(page, "utf8");
  for (const group of groups) text = withTable(text, group);
  await writeFile(page, text);
}

function withTable(text, group) {
  const [begin, end] = [`<!-- ${group}: made from packages/conformance -->`, "<!-- end -->"];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0)
    throw new Error(
      `docs/reference/contract.md has no location for the table of ${group}: ${begin} … ${end}`,
    );
  const rows = requirementGroups[group].map(toRow);
  const table = ["| | | rule | because |", "|---|---|---|---|", ...rows].join("\n");
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`;
}

function toRow({ id, level, agent, rule, sources, unchecked }) {
  const whom = agent === undefined ? "" : `${agents[agent].title}: `;
  const why = sources.map(toReason).join(" ");
  const open = unchecked === undefined ? "" : ` *Not checked: ${unchecked}*`;
  return `| ${[`<a id="${id.toLowerCase()}"></a>${id}`, level, `${whom}${rule}`, `${why}${open}`].join(" | ")} |`;
}

const marks = { specification: "S", protocol: "S", observed: "O", code: "C", recommended: "R" };

function toReason({ kind, location, says }) {
  return `**${marks[kind]}** ${says}${location === "" ? "" : ` (${location})`}`;
}
