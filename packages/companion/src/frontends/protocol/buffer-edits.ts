import type { TextEdit } from "vscode-languageserver";
import { placeHunks } from "../../core/hunks.ts";
import { toComparable, toFormOf, withoutMark } from "../../files/comparable-text.ts";
import { linesOf } from "../../files/line-diff.ts";
import { type Merged, merge } from "../../files/merge.ts";
import type { DecidedHunks } from "./written-messages.ts";

/**
 * A buffer with what has become of its file.
 * @param before the text that both come from
 */
export function mergeIntoBuffer(content: string, before: string, file: string): Merged {
  const edited = withoutMark(content).replaceAll("\r\n", "\n");
  const [former = "", now = ""] = [before, file].map((text) => toComparable(text, edited).text);
  const { kind, text } = merge(former, now, edited, "your edits");
  return { kind, text: toFormOf(content, text) };
}

/**
 * The edits that bring what the user had not saved into a document that holds its file again.
 * @param mine the document before that
 * @param before the text that both come from
 */
export function rebaseUnsaved(mine: string, before: string, file: string): TextEdit[] {
  const content = mergeIntoBuffer(mine, before, file).text;
  return toTextEdits(file, { content, edits: placeHunks(file, content) });
}

/** The edits that make a document the text that was decided on. */
export function toTextEdits(
  text: string,
  { content = "", edits = [] }: Omit<DecidedHunks, "line">,
): TextEdit[] {
  const [former, lines] = [linesOf(text), linesOf(content)];
  const last = former.at(-1) ?? "";
  const end = last.endsWith("\n")
    ? { line: former.length, character: 0 }
    : { line: Math.max(0, former.length - 1), character: last.length };
  const at = (line: number) => (line < former.length ? { line, character: 0 } : end);
  return edits.map(({ line, added, from, removed }) => ({
    range: { start: at(from - 1), end: at(from - 1 + removed) },
    newText: lines.slice(line - 1, line - 1 + added).join(""),
  }));
}
