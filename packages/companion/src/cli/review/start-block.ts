import type { Agent } from "../../agents/agent.ts";
import type { Companion } from "../../companion.ts";
import type { Paint } from "../../core/paint.ts";
import { toDisplayPath } from "../terminal/text.ts";

export interface StartBlock {
  readonly version: string;
  /** Opens the page once. */
  readonly link: string;
  readonly roots: readonly string[];
  readonly companion: Pick<Companion, "port" | "discoveryFiles">;
  readonly agents: readonly Agent[];
  /** Their CLIs are in the PATH. */
  readonly areInstalled: boolean;
  /** Our own program is there as well. */
  readonly isInstalled: boolean;
  readonly home: string;
  /** Why no browser was opened, as a sentence. */
  readonly noBrowser: string | undefined;
  /** How many recovered edits there are. */
  readonly recovered: number;
}

/** What is printed once, when everything is ready. */
export function describeStart(block: StartBlock, paint: Paint): readonly string[] {
  const display = (file: string) => toDisplayPath(file, block.home);
  return [
    "",
    `  ${paint.bold("ide-companion")} ${paint.dim(block.version)}`,
    "",
    ...(block.noBrowser === undefined ? [] : [`  ${paint.yellow(block.noBrowser)}`]),
    "  Review page, for one use within ten minutes:",
    `  ${paint.cyan(block.link)}`,
    "",
    ...rows(block.roots.length === 1 ? "Folder" : "Folders", block.roots.map(display), paint.plain, paint),
    ...rows("Port", [String(block.companion.port)], paint.plain, paint),
    ...rows("Found by", block.companion.discoveryFiles.map(display), paint.dim, paint),
    "",
    ...describeNext(block, paint),
    ...(block.recovered === 0 ? [] : ["", describeRecovered(block.recovered, paint)]),
    "",
    `  ${paint.dim("Ctrl-C ends this; the same call opens the page again.")}`,
    "",
  ];
}

/** What the user types next. */
function describeNext({ agents, areInstalled, isInstalled }: StartBlock, paint: Paint): readonly string[] {
  const [first] = agents;
  const run = paint.bold(`ide-companion run ${first?.name ?? ""}`);
  const missing = paint.yellow("No agent CLI is in the PATH of this terminal. To install one:");
  return [
    ...(areInstalled ? [] : [`  ${missing}`, `  ${paint.bold(first?.installCommand ?? "")}`, ""]),
    `  ${paint.plain("Type next, in another terminal in this folder:")}`,
    ...agents.map(({ command, connectCommand }) => {
      const more = paint.dim(`and in it ${connectCommand}, unless it has connected`);
      return `    ${paint.bold(command.padEnd(8))} ${more}`;
    }),
    ...(isInstalled ? [`  ${paint.plain("or from any terminal:")} ${run}`] : []),
    `  ${paint.dim("Restart one that is running already.")}`,
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
