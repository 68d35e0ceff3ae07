const mark = "\uFEFF";

/** A file's text as a proposal can be compared with it, and what was left out of the comparison. */
export interface ComparableText {
  readonly text: string;
  /** The file has line endings that the proposal does not have; the agent puts them back. */
  readonly lineEndings?: "CRLF" | "mixed";
  /** The file has a byte order mark that the proposal does not have; the agent puts it back. */
  readonly byteOrderMark?: true;
}

/**
 * Agents propose texts with LF alone, and mostly without a byte order mark, and write them as in
 * the file: compared as they stand, every line of such a file would be a change.
 * @see docs/reference/contract.md#4-diffs
 */
export function toComparable(original: string, proposed: string): ComparableText {
  const dropsMark = original.startsWith(mark) && !proposed.startsWith(mark);
  const dropsReturns = original.includes("\r\n") && !proposed.includes("\r\n");
  let text = dropsMark ? withoutMark(original) : original;
  if (dropsReturns) text = text.replaceAll("\r\n", "\n");
  return {
    text,
    ...(dropsReturns ? { lineEndings: isCrlf(original) ? "CRLF" : "mixed" } : {}),
    ...(dropsMark ? { byteOrderMark: true } : {}),
  };
}

/**
 * What two texts differ in where that is nothing that a comparison of lines shows well; undefined where they differ in
 * more. Line ends and a byte order mark that the agent puts back are no difference.
 */
export type FaintDifference = "none" | "line-ends" | "byte-order-mark" | "last-newline" | "white-space";

export function findFaintDifference(original: string, proposed: string): FaintDifference | undefined {
  const before = toComparable(original, proposed).text;
  if (before === proposed) return "none";
  if (withoutMark(before) === withoutMark(proposed)) return "byte-order-mark";
  const [from, to] = [before, proposed].map((text) => text.replaceAll(/\r\n?/g, "\n"));
  if (from === to) return "line-ends";
  if (from === `${to}\n` || to === `${from}\n`) return "last-newline";
  const isSame = before.replaceAll(/\s+/g, "") === proposed.replaceAll(/\s+/g, "");
  return isSame ? "white-space" : undefined;
}

/** A text without the byte order mark that it may begin with. */
export const withoutMark = (text: string): string => (text.startsWith(mark) ? text.slice(mark.length) : text);

/** Whether a text has line ends, and all of them are CRLF. */
export const isCrlf = (text: string): boolean => text.includes("\r\n") && !/(^|[^\r])\n/.test(text);

/** A text as its agent would write it over another one: with the line endings and the byte order mark of that. */
export function toFormOf(original: string, text: string): string {
  const { lineEndings, byteOrderMark } = toComparable(original, text);
  const lines = lineEndings === "CRLF" ? text.replaceAll("\n", "\r\n") : text;
  return byteOrderMark ? mark + lines : lines;
}
