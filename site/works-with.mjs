import { readFile, writeFile } from "node:fs/promises";
import { inRepository } from "../scripts/repository.mjs";

const page = inRepository("docs", "editors", "works-with.gen.md");

/** What an agent does with an editor, in the words of the matrix. */
const uses = {
  diffs: "diffs that you edit",
  readOnly: "read-only diffs",
  context: "what you look at",
};

/** Where people find the agents that we serve, and what each does with an editor; opencode is served by Claude Code's files. */
const agentPages = {
  gemini: { page: "../start/gemini-cli.md", use: "diffs" },
  qwen: { page: "../start/qwen-code.md", use: "diffs" },
  claude: { page: "../start/claude-code.md", use: "diffs" },
  copilot: { page: "../start/copilot-cli.md", use: "readOnly" },
  codex: { page: "../start/codex-cli.md", use: "context" },
};

/** Editors, as docs/editors/README.md names them, in which the tests run the real CLI of each agent. */
const tested = ["VS Code", "Neovim", "Vim", "Emacs", "Kakoune", "Helix", "Kate", "the review page"];

/**
 * @param {string} editors the text of docs/editors/README.md
 * @returns {{ name: string, link: string }[]} its editors, in its order
 */
export function editorsOf(editors) {
  // The second column is how: its only link is the review page, for any other editor.
  const cells = [...editors.matchAll(/^\| ([^|]*\|[^|]*)\|/gm)].map(([, cell]) => cell);
  return cells
    .flatMap((cell) => [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)])
    .map(([, name, link]) => ({ name, link }));
}

/**
 * @param {readonly { name: string, displayName: string }[]} agents
 * @param {readonly { name: string, link: string }[]} editors
 * @returns {string} the page, in Markdown
 * @throws {Error} when an agent or an editor is missing here
 */
export function worksWith(agents, editors) {
  for (const name of tested) {
    if (!editors.some((editor) => editor.name === name)) throw new Error(`docs/editors has no ${name}`);
  }
  const columns = agents.map(({ name, displayName }) => {
    const known = agentPages[name];
    if (known === undefined) throw new Error(`site/works-with.mjs does not know ${displayName}`);
    return { title: `[${displayName}](${known.page})`, use: uses[known.use] };
  });
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const cell = (editor, { use }) => (tested.includes(editor) ? `**${use}**` : use);
  return [
    "# Does it work with …",
    "",
    "<!-- Made from site/works-with.mjs by `npm run generate`. -->",
    "",
    "Every agent works with every editor. The cells say what you get. **Bold**: the tests of this",
    "repository have run the real CLI with the real editor. [Compatibility](../reference/compatibility.md)",
    "has the versions.",
    "",
    row(["", ...columns.map(({ title }) => title)]),
    `|${"---|".repeat(columns.length + 1)}`,
    ...editors.map(({ name, link }) =>
      row([`[${name}](${link})`, ...columns.map((column) => cell(name, column))]),
    ),
    "",
    "opencode finds the editor [like Claude Code](../start/claude-code.md#opencode), and gets what you look",
    "at. What it writes opens there [before or after](../start/written-changes.md) it writes.",
    "",
  ].join("\n");
}

/** Writes the matrix into docs. Needs the built library. */
export async function documentWorksWith() {
  const { agents } = await import("../packages/companion/dist/index.js");
  const editors = await readFile(inRepository("docs", "editors", "README.md"), "utf8");
  await writeFile(page, worksWith(agents, editorsOf(editors)));
}
