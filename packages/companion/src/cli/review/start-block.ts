import type { Agent } from "../../agents/agent.ts";
import type { Paint } from "../../core/paint.ts";
import { orList, toDisplayPath } from "../terminal/text.ts";

export interface StartBlock {
  readonly version: string;
  /** Opens the page once. */
  readonly link: string;
  readonly roots: readonly string[];
  readonly port: number;
  readonly discoveryFiles: readonly string[];
  readonly agents: readonly Agent[];
  readonly home: string;
  /** Why no browser was opened, as a sentence. */
  readonly noBrowser: string | undefined;
  /** How many recovered edits there are. */
  readonly recovered: number;
}

/** What is printed once, when everything is ready. */
export function describeStart(block: StartBlock, paint: Paint): readonly string[] {
  const display = (file: string) => toDisplayPath(file, block.home);
  const commands = block.agents.map(({ command }) => command);
  return [
    "",
    `  ${paint.bold("ide-companion")} ${paint.dim(block.version)}`,
    "",
    ...(block.noBrowser === undefined ? [] : [`  ${paint.yellow(block.noBrowser)}`]),
    "  Review page, for one use within ten minutes:",
    `  ${paint.cyan(block.link)}`,
    "",
    ...rows(block.roots.length === 1 ? "Folder" : "Folders", block.roots.map(display), paint.plain, paint),
    ...rows("Port", [String(block.port)], paint.plain, paint),
    ...rows("Found by", block.discoveryFiles.map(display), paint.dim, paint),
    "",
    `  ${paint.plain("Start")} ${listOf(commands, paint)} ${paint.plain("in this folder,")}`,
    `  ${paint.plain("or from any terminal:")} ${paint.bold(`ide-companion run ${commands[0] ?? ""}`)}`,
    `  ${paint.dim("Restart one that is running already, unless its /ide command connects it.")}`,
    ...(block.recovered === 0 ? [] : ["", describeRecovered(block.recovered, paint)]),
    "",
    `  ${paint.dim("Ctrl-C ends this; the same call opens the page again.")}`,
    "",
  ];
}

function describeRecovered(count: number, paint: Paint): string {
  const what =
    count === 1 ? "A text that you typed in a proposal is" : `${count} texts that you typed in proposals are`;
  return `  ${paint.yellow(`${what} in no file:`)} ${paint.bold("ide-companion edits")}`;
}

/** A title, and next to it one value a line. */
function rows(
  title: string,
  values: readonly string[],
  style: Paint["plain"],
  paint: Paint,
): readonly string[] {
  return values.map((value, index) => {
    const head = (index === 0 ? title : "").padEnd(10);
    return `  ${paint.dim(head)}${style(value)}`;
  });
}

const listOf = (commands: readonly string[], paint: Paint) =>
  orList(commands)
    .map(({ type, value }) => (type === "element" ? paint.bold : paint.plain)(value))
    .join("");
