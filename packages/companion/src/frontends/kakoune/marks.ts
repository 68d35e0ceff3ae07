import stringWidth from "string-width";
import { type Hunk, type HunkPlace, linesAsShown, placesBack } from "../../core/hunks.ts";
import { safeText } from "../../files/safe-text.ts";
import { touches, withoutEnd } from "../lsp/plain/hunks.ts";
import { quote } from "./session.ts";

/** Removed lines that are shown in a box; more would cover the buffer. */
const maxShown = 12;
/** Columns that a line has at least; what is longer may be cut at the window's edge. */
const leastWidth = 80;

/**
 * Hunks with their lines. They are those of Kakoune's buffers, where a byte order mark is an option, and so are the ends
 * of lines where all are CRLF.
 */
export function withLines(places: readonly HunkPlace[], original: string, text: string): readonly Hunk[] {
  const [before, after] = [linesAsShown(original), linesAsShown(text)];
  return places.map(({ line, added, from, removed }) => ({
    line: line - 1,
    added: after.slice(line - 1, line - 1 + added),
    removed: before.slice(from - 1, from - 1 + removed),
  }));
}

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

/** Commands that give the buffer where they run another text. @param edits of the other text, against that of the buffer */
export function changeText(edits: readonly HunkPlace[], text: string, content: string): readonly string[] {
  // Those below first: the lines above keep their numbers.
  return withLines(placesBack(edits), content, text).toReversed().flatMap(revertChange);
}

/** Commands that make a change of the buffer where they run as it was. */
export function revertChange({ line, added, removed }: Hunk): readonly string[] {
  // In a buffer every line ends.
  const [former, text] = [added, removed].map((lines) =>
    lines.map((each) => each.replace(/\n?$/, "\n")).join(""),
  );
  if (text === former || text === undefined) return [];
  // Missing lines come after the line before them, or before the first.
  const isInsertion = added.length === 0;
  const [from, to] = isInsertion ? [Math.max(1, line), Math.max(1, line)] : [line + 1, line + added.length];
  const act = isInsertion ? (line === 0 ? "P" : "p") : text === "" ? "xd" : "xR";
  const commands = [`select ${from}.1,${to}.1`, `set-register dquote ${quote(text)}`, `execute-keys ${act}`];
  return [`evaluate-commands -draft -save-regs '"' ${quote(commands.join("\n"))}`];
}
