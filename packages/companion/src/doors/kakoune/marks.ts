import { type Hunk, withoutEnd } from "../lsp/plain/hunks.ts";
import { quote } from "./words.ts";

/** Removed lines that are shown beside the cursor; more would cover the buffer. */
const maxShown = 12;

/** Commands that mark the changes in the buffer where they run: in the gutter as `git show-diff` does, and in the text. */
export function markChanges(hunks: readonly Hunk[]): readonly string[] {
  const set = (option: string, specs: readonly string[]) =>
    `set-option buffer ${option} %val{timestamp} ${specs.map(quote).join(" ")}`;
  return [
    set("ide_companion_flags", hunks.flatMap(toFlags)),
    set("ide_companion_ranges", hunks.flatMap(toRanges)),
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

/** Commands that show a client, below a change, what stood in its place. */
export function showRemoved(client: string, hunk: Hunk): readonly string[] {
  if (hunk.removed.length === 0) return [];
  const lines = hunk.removed.slice(0, maxShown).map(withoutEnd);
  const more = hunk.removed.length - lines.length;
  const text = [...lines, ...(more > 0 ? [`… and ${more} more lines`] : [])].join("\n");
  const last = Math.max(1, hunk.line + hunk.added.length);
  const info = `info -anchor ${last}.1 ${quote(text)}`;
  return [`evaluate-commands -client ${quote(client)} ${quote(info)}`];
}

/** Commands that make a change of the buffer where they run as it was. */
export function takeBackChange({ line, added, removed }: Hunk): readonly string[] {
  // In a buffer every line ends.
  const text = removed.map((each) => `${withoutEnd(each)}\n`).join("");
  // Missing lines come after the line before them, or before the first.
  const isInsertion = added.length === 0;
  const [from, to] = isInsertion ? [Math.max(1, line), Math.max(1, line)] : [line + 1, line + added.length];
  const act = isInsertion ? (line === 0 ? "P" : "p") : text === "" ? "xd" : "xR";
  const commands = [`select ${from}.1,${to}.1`, `set-register dquote ${quote(text)}`, `execute-keys ${act}`];
  return [`evaluate-commands -draft -save-regs '"' ${quote(commands.join("\n"))}`];
}
