import { checks } from "../checks/index.ts";
import { agentTitles, groupOf, groups, groupTitles, requirements } from "../requirements/index.ts";
import { options } from "./options.ts";

const actions: readonly (readonly [string, string])[] = [
  ["open FILE LINE COLUMN", "opens a file, or goes to it, and puts the cursor there"],
  ["select FILE LINE COLUMN TO-LINE TO-COLUMN", "selects from one place up to, and without, the other"],
  ["close PATH", "closes a file; or the view of its diff, without a decision, when one is shown"],
  ["accept PATH", "accepts the open diff of a file"],
  ["reject PATH", "rejects it"],
  ["edit PATH TEXT", "replaces the whole text of the diff's proposed side"],
  ["shows PATH", "prints yes or no: whether a diff of this file is shown"],
  ["sweep FILE FIRST LAST", "moves the cursor down from line to line, one each 20 ms"],
  ["folder PATH", "opens one more folder"],
  ["environment", "prints the variables of a terminal in the editor, NAME=VALUE, one a line"],
];

export function describeHelp(): string {
  return `Tells which rules of the contract between agent CLIs and IDE companions a companion keeps.

Usage  ide-companion-conformance [options]                 the companion of this folder
       ide-companion-conformance [options] -- COMMAND …    one that COMMAND starts
       ide-companion-conformance --url URL [options]       one without discovery files

A command is started in an empty folder of its own, with TMPDIR and QWEN_HOME of its own and CONFORMANCE_FOLDER for its
sockets, and ended by SIGTERM. With --port or --url, the command only starts those that are ended by a check.

Options
${table(options.map(({ name, value, about }) => [value === undefined ? `--${name}` : `--${name} ${value}`, about]))}

Editor command
  Called with the folder and the variables of the companion, as one of:
${table(actions)}
  Lines and columns count from 1, a column in UTF-16 units. It ends when the editor has done it. Exit code 3: this editor
  cannot do that, so the check is not run; any other but 0: it went wrong.

Exit codes
  0  every MUST that was checked is kept        2  wrong usage
  1  one is not, or the baseline is stale       3  there is no companion to check

Examples
  ide-companion-conformance -- ide-companion --no-open
  ide-companion-conformance --editor-command "node drive-my-editor.mjs" -- my-editor --headless
`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([left, right]) => `  ${left.padEnd(44)}${right}`).join("\n");
}

/** All rules, each with its checks. */
export function describeRules(): string {
  return groups
    .map((group) => {
      const rules = requirements.filter(({ id }) => groupOf(id) === group);
      const lines = rules.map(({ id, level, agent, rule, unchecked }) => {
        const own = checks.filter((check) => check.requirements.includes(id)).map((check) => check.id);
        const whom = agent === undefined ? "" : `${agentTitles[agent]}: `;
        const how = unchecked === undefined ? own.join(", ") : `not checked: ${unchecked}`;
        return `  ${id.padEnd(4)}${level.padEnd(7)}${whom}${rule}\n             ${how}`;
      });
      return [groupTitles[group], ...lines].join("\n");
    })
    .join("\n\n");
}
