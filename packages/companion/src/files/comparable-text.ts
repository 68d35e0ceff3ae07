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
