import { withoutControls } from "../../files/safe-text.ts";
import type { Comment } from "../editor.ts";
import type { RecoveredComments } from "./comment.ts";

/** What is made a message of. */
export type CommentsToSend = Pick<RecoveredComments, "filePath" | "outcome"> & {
  readonly comments: readonly Omit<Comment, "id">[];
};

/** Lines of a quotation; more are not needed to find the place. */
const maxQuoted = 12;

const introductions = {
  rejected: "I rejected your change. My comments:",
  accepted: "I accepted your change, and have comments on it:",
  closed: "My comments on your change:",
} as const;

/** One message for an agent's prompt: plain text, ready to be sent. It holds no control characters. */
export function toMessage({ filePath, outcome = "closed", comments }: CommentsToSend): string {
  const parts = [...comments].sort(byPlace).map(({ side, startLine, endLine, quote, text }) => {
    const reference = toReference(filePath, startLine, endLine);
    return [
      side === "original" ? `${reference} (before the change)` : reference,
      ...(startLine > 0 ? toQuotation(quote) : []),
      text.trim(),
    ].join("\n");
  });
  return withoutControls([introductions[outcome], ...parts].join("\n\n"));
}

/** Those on the proposed text first, and each text from top to bottom. */
export const byPlace = (one: Omit<Comment, "id">, other: Omit<Comment, "id">) =>
  Number(one.side === "original") - Number(other.side === "original") ||
  one.startLine - other.startLine ||
  one.endLine - other.endLine;

/** `@path:line`, `@path:first-last` or `@path`, with blanks behind backslashes, as in a shell. */
function toReference(path: string, startLine: number, endLine: number): string {
  const lines = startLine > 0 ? `:${startLine}${endLine > startLine ? `-${endLine}` : ""}` : "";
  return `@${path.replaceAll(" ", "\\ ")}${lines}`;
}

/** What a comment is on, for people. */
export function toPlace({ startLine, endLine }: Pick<Comment, "startLine" | "endLine">): string {
  if (startLine === 0) return "the change";
  return endLine > startLine ? `lines ${startLine}–${endLine}` : `line ${startLine}`;
}

function toQuotation(quote: string): readonly string[] {
  const lines = quote.split(/\r\n?|\n/);
  const shown = lines.slice(0, maxQuoted).map((line) => `> ${line}`);
  return lines.length > maxQuoted ? [...shown, "> …"] : shown;
}
