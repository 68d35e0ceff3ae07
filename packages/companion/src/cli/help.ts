import type { Paint } from "../core/paint.ts";
import { commands } from "./commands.ts";
import { type Command, type Option, summaryOf } from "./invocation.ts";
import { wrapWords } from "./terminal/text.ts";

const width = 80;
/** A column that is narrower than this goes below the other one. */
const narrowest = 30;

/** The help of a command; that of the whole program for the one without a name. */
export function describeCommand(command: Command, paint: Paint): string {
  const sections = [
    usage(command, paint),
    ...(command.details ?? []).map((paragraph) => wrapWords(paragraph, width).map(paint.plain).join("\n")),
    ...(command.name === "" ? [table("Commands", commands.flatMap(toCommandRow), paint)] : []),
    table("Options", command.options.map(toOptionRow), paint),
    table("Examples", command.examples ?? [], paint),
    table("Exit codes", command.exitCodes ?? [], paint),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

function usage(command: Command, paint: Paint): string {
  const call = ["ide-companion", command.name, "[options]", command.words.usage];
  const title = paint.plain(`${capitalize(command.summary)}.`);
  return `${title}\n\n${paint.bold("Usage")}  ${paint.plain(call.filter((word) => word !== "").join(" "))}`;
}

const toCommandRow = ({ name, words, summary }: Command): [string, string][] =>
  name === "" ? [] : [[`${name} ${words.usage}`, summary]];

function toOptionRow(option: Option): [string, string] {
  const { name, short, value } = option;
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return [short === undefined ? long : `${long}, -${short}`, summaryOf(option)];
}

function table(title: string, rows: readonly (readonly [string, string])[], paint: Paint): string {
  if (rows.length === 0) return "";
  const indent = Math.max(...rows.map(([left]) => left.length)) + 4;
  if (width - indent < narrowest) {
    const pairs = rows.map(([left, right]) => `  ${paint.cyan(left)}\n      ${paint.plain(right)}`);
    return [paint.bold(title), ...pairs].join("\n");
  }
  const lines = rows.flatMap(([left, right]) =>
    wrapWords(right, width - indent).map((line, index) => {
      const head = index === 0 ? left : "";
      return `  ${paint.cyan(head)}${" ".repeat(indent - 2 - head.length)}${paint.plain(line)}`;
    }),
  );
  return [paint.bold(title), ...lines].join("\n");
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
