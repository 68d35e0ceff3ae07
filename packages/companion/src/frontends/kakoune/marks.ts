import stringWidth from "string-width";
import { findHunks, type Hunk } from "../../core/hunks.ts";
import { withoutMark } from "../../files/comparable-text.ts";
import { safeText } from "../../files/safe-text.ts";
import { touches, withoutEnd } from "../lsp/plain/hunks.ts";
import { quote } from "./remote.ts";

/** Removed lines that are shown in a box; more would cover the buffer. */
const maxShown = 12;
/** Columns that a line has at least; what is longer may be cut at the window's edge. */
const leastWidth = 80;

/** Commands that mark the changes in the buffer where they run: in the gutter as `git show-diff` does, and in the text. */
export function markChanges(hunks: readonly Hunk[]): readonly string[] {
  const set = (option: string, specs: readonly string[]) =>
    `set-option buffer ${option} %val{timestamp} ${specs.map(quote).join(" ")}`;
  return [
    set("ide_companion_flags", hunks.flatMap(toFlags)),
    set("ide_companion_ranges", hunks.flatMap(toRanges)),
    set("ide_companion_removed", hunks.flatMap(toRemoved)),
    set(
      "ide_companion_changes",
      hunks.map((hunk) => `${firstLine(hunk)}|`),
    ),
  ];
}

/** Where the user goes to see a change. @returns 1-based */
export function firstLine({ line, added }: Hunk): number {
  return added.length > 0 ? line + 1 : Math.max(1, line);
}

/** The changes in some lines. @param first 1-based */
export function changesIn<Change extends Hunk>(
  hunks: readonly Change[],
  first: number,
  last = first,
): readonly Change[] {
  const at = (line: number) => ({ line: line - 1, character: 0 });
  return hunks.filter((hunk) => touches(hunk, { start: at(first), end: at(last) }));
}

function toFlags(hunk: Hunk): readonly string[] {
  const { line, added, removed } = hunk;
  if (added.length === 0) return [line === 0 ? "1|{red}‾" : `${line}|{red}_`];
  return added.map((_, index) => `${line + index + 1}|${index < removed.length ? "{blue}~" : "{green}+"}`);
}

function toRanges({ line, added }: Hunk): readonly string[] {
  return added.flatMap((text, index) => {
    const bytes = Buffer.byteLength(withoutEnd(text));
    return bytes === 0 ? [] : [`${line + index + 1}.1+${bytes}|IdeCompanionChange`];
  });
}

/** What each line replaces, behind its end: nothing else leaves the lines below in sight. */
function toRemoved({ line, added, removed }: Hunk): readonly string[] {
  return added.flatMap((text, index) => {
    const before = removed[index];
    if (before === undefined) return [];
    const position = `${line + index + 1}.${Buffer.byteLength(withoutEnd(text)) + 1}+0`;
    const markup = withBackslashes(`  ← ${printable(before)}`, "{");
    return [`${position}|${withBackslashes(`{IdeCompanionRemoved}${markup}`, "|")}`];
  });
}

const printable = (line: string) => safeText(withoutEnd(line).replaceAll("\t", "    "));

/** Kakoune takes a backslash before these characters away. */
const withBackslashes = (text: string, characters: string) =>
  text.replace(new RegExp(`[\\\\${characters}]`, "g"), "\\$&");

/** Whether everything that a change replaces stands behind its lines already. */
function isInLine({ added, removed }: Hunk): boolean {
  return removed.every((line, index) => {
    const text = added[index];
    return (
      text !== undefined && stringWidth(printable(text)) + stringWidth(printable(line)) + 4 <= leastWidth
    );
  });
}

/** Commands that show a client, at the lower right, what stood in the position of a change, where that is not behind its lines. */
export function showRemoved(client: string, hunk: Hunk): readonly string[] {
  if (isInLine(hunk)) return [];
  const lines = hunk.removed.slice(0, maxShown).map(withoutEnd);
  const more = hunk.removed.length - lines.length;
  const text = [...lines, ...(more > 0 ? [`… and ${more} more lines`] : [])].join("\n");
  const info = `info -title 'replaced' ${quote(text)}`;
  return [`evaluate-commands -client ${quote(client)} ${quote(info)}`];
}

/**
 * Commands that give the buffer where they run another text, by the lines that differ.
 * @param endsByCrlf whether the buffer's lines do
 */
export function changeText(text: string, content: string, endsByCrlf: boolean): readonly string[] {
  // Those below first: the lines above keep their numbers.
  const edits = findHunks(toLines(content), toLines(text), false).toReversed();
  return edits.flatMap((edit) => revertChange(edit, endsByCrlf));
}

/** As they are in a buffer: there is one at least, and every one ends. */
const toLines = (text: string): string => {
  const lines = withoutMark(text);
  return lines.endsWith("\n") ? lines : `${lines}\n`;
};

/**
 * Commands that make a change of the buffer where they run as it was.
 * @param endsByCrlf whether the buffer's lines do, which then hold no return
 */
export function revertChange({ line, added, removed }: Hunk, endsByCrlf = false): readonly string[] {
  // In a buffer every line ends.
  const end = endsByCrlf ? /\r?\n?$/ : /\n?$/;
  const text = removed.map((each) => each.replace(end, "\n")).join("");
  // Missing lines come after the line before them, or before the first.
  const isInsertion = added.length === 0;
  const [from, to] = isInsertion ? [Math.max(1, line), Math.max(1, line)] : [line + 1, line + added.length];
  const act = isInsertion ? (line === 0 ? "P" : "p") : text === "" ? "xd" : "xR";
  const commands = [`select ${from}.1,${to}.1`, `set-register dquote ${quote(text)}`, `execute-keys ${act}`];
  return [`evaluate-commands -draft -save-regs '"' ${quote(commands.join("\n"))}`];
}
