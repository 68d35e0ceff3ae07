import { homeVariables } from "../agents.ts";
import type { Contract } from "../contracts/index.ts";
import { type Paint, wrap } from "../report/paint.ts";
import { options } from "./options.ts";

const actions: readonly (readonly [string, string])[] = [
  ["open FILE LINE COLUMN", "opens a file, or goes to it, and puts the cursor there"],
  [
    "select FILE LINE COLUMN TO-LINE TO-COLUMN",
    "selects from the first position up to the second, exclusively",
  ],
  ["close PATH", "closes a file; or the view of its diff, without a decision, when one is shown"],
  ["accept PATH", "accepts the open diff of a file"],
  ["reject PATH", "rejects it"],
  ["edit PATH TEXT", "replaces the whole text of the diff's proposed side"],
  ["shows PATH", "prints yes or no: whether a diff of this file is shown"],
  ["sweep FILE FIRST LAST", "moves the cursor down from line to line, one each 20 ms"],
  ["folder PATH", "opens one more folder"],
  ["mention FILE FIRST LAST", "puts lines of a file into an agent's prompt"],
  ["environment", "prints the variables of a terminal in the editor, NAME=VALUE, one a line"],
  ["review FOLDER MODE", "says when agents are reviewed there: before or after they write"],
  ["written FILE", "prints a unified diff of what agents wrote into a file without asking"],
  ["revert FILE", "reverts that"],
];

const usages: readonly (readonly [string, string])[] = [
  ["ide-companion-conformance", "the companion that has this folder open"],
  ["ide-companion-conformance -- COMMAND …", "the one that COMMAND starts; only this checks everything"],
  ["ide-companion-conformance --url URL", "a companion without discovery files"],
  [
    "ide-companion-conformance --agent hooks --hook HOOK -- COMMAND …",
    "the program that CLIs call as their hook",
  ],
];

const exits: readonly (readonly [string, string])[] = [
  ["0", "every MUST that was checked is fulfilled"],
  ["1", "one is not, or the companion has ended"],
  ["2", "wrong usage, or a report that cannot be written"],
  ["3", "there is no companion to check"],
];

const examples: readonly (readonly [string, string])[] = [
  ["ide-companion-conformance -- ide-companion --no-open", "checks what needs no user"],
  [
    'ide-companion-conformance --editor-command "node driver.mjs" -- my-editor',
    "checks everything; driver.mjs does what a user would do",
  ],
  [
    "ide-companion-conformance --group security --verbose",
    "checks the security of this folder's companion, with every step of what failed",
  ],
];

/** Columns. */
const width = 80;

export function describeHelp(paint: Paint): string {
  const text = (words: string) => wrap(words, width).join("\n");
  const parts = [
    text("Checks which rules of the contract between agent CLIs and IDE companions a companion fulfils."),
    table("Usage", usages, paint),
    text(
      `The kit starts COMMAND in an empty folder. ${["TMPDIR", ...homeVariables].join(" and ")} name private folders, and CONFORMANCE_FOLDER one for sockets. It ends COMMAND by SIGTERM, on Windows by closing its standard input. With --port or --url, COMMAND only starts the additional companions.`,
    ),
    table(
      "Options",
      options.map(({ name, value, about }) => [
        value === undefined ? `--${name}` : `--${name} ${value}`,
        about,
      ]),
      paint,
    ),
    table("Editor command", actions, paint),
    text(
      "The kit calls it once for each action, in the folder and with the variables of the companion, and waits until it ends. Lines and columns count from 1, columns in UTF-16 units. Exit code 3 means that this editor cannot do it: the check is not run. Any other code except 0 means that it failed: the check fails.",
    ),
    table("Exit codes", exits, paint),
    table("Examples", examples, paint),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** In two columns if both fit, else the second below the first. */
function table(title: string, rows: readonly (readonly [string, string])[], paint: Paint): string {
  const indent = Math.max(...rows.map(([left]) => left.length)) + 4;
  const lines = rows.flatMap(([left, right]) => {
    if (indent > width / 2)
      return [`  ${paint.cyan(left)}`, ...wrap(right, width - 6).map((line) => `      ${line}`)];
    return wrap(right, width - indent).map(
      (line, index) => `  ${paint.cyan((index === 0 ? left : "").padEnd(indent - 2))}${line}`,
    );
  });
  return [paint.bold(title), ...lines].join("\n");
}

/** All rules of a contract, each with its checks. */
export function describeRules(contract: Contract): string {
  const { rules, checks } = contract;
  return [...rules.titles]
    .map(([group, title]) => {
      const own = rules.requirements.filter((requirement) => requirement.group === group);
      const lines = own.map(({ id, level, rule, unchecked }) => {
        const proofs = checks.filter((check) => check.requirements.includes(id)).map((check) => check.id);
        const agent = contract.whomOf(id);
        const whom = agent === undefined ? "" : `${agent}: `;
        const how = unchecked === undefined ? proofs.join(", ") : `not checked: ${unchecked}`;
        return `  ${id.padEnd(4)}${level.padEnd(7)}${whom}${rule}\n             ${how}`;
      });
      return [title, ...lines].join("\n");
    })
    .join("\n\n");
}
