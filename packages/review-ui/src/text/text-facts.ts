import type { Translate } from "../language/language.ts";
import type { FileText } from "../model/api.ts";

/** A difference between two texts that a comparison of lines does not show. */
export interface TextBadge {
  /** Short, such as `LF → CRLF`. */
  readonly label: string;
  /** A sentence. */
  readonly title: string;
  /** Restores the form of the original; absent when there is nothing to restore. */
  readonly repair?: { readonly label: string; readonly apply: (text: string) => string };
}

const bom = "\ufeff";

/**
 * Compares the line endings, byte order marks and last newlines of two texts.
 * @param before undefined when there was no file
 */
export function compareForm(before: string | undefined, after: string, t: Translate): readonly TextBadge[] {
  const badges = [endingsBadge, bomBadge, finalNewlineBadge].map((badge) => badge(before, after, t));
  return badges.flatMap((badge) => badge ?? []);
}

function endingsBadge(before: string | undefined, after: string, t: Translate): TextBadge | undefined {
  const now = countLineEndings(after);
  const name = nameLineEndings(now);
  const old = before === undefined ? undefined : countLineEndings(before);
  const oldName = old && nameLineEndings(old);
  if (!old || oldName === undefined || name === undefined || oldName === name) {
    if (name === undefined || name === "LF") return undefined;
    return toBadge(name, t("Line endings: $1. They stay as they are.", name));
  }
  const ending = dominantLineEnding(old);
  const title = t("The file on disk has $1 line endings, this change makes them $2.", oldName, name);
  const repair = oldName === "mixed" ? undefined : t("Back to $1", oldName);
  return toBadge(`${oldName} → ${name}`, title, repair, (text) => withLineEnding(text, ending));
}

/** @param apply restores the form of the original; absent when there is nothing to restore */
const toBadge = (
  label: string,
  title: string,
  repair?: string,
  apply?: (text: string) => string,
): TextBadge => ({ label, title, ...(repair && apply && { repair: { label: repair, apply } }) });

function bomBadge(before: string | undefined, after: string, t: Translate): TextBadge | undefined {
  const [had, has] = [before?.startsWith(bom) ?? false, after.startsWith(bom)];
  const without = (text: string) => (text.startsWith(bom) ? text.slice(1) : text);
  if (had && has) return toBadge("BOM", t("The file begins with a byte order mark; it stays."));
  if (has && before === undefined) return toBadge("BOM", t("The new file begins with a byte order mark."));
  if (has) {
    const title = t("This change puts a byte order mark at the beginning of the file.");
    return toBadge("+ BOM", title, t("Remove it"), without);
  }
  if (!had) return undefined;
  const title = t("The file on disk begins with a byte order mark, this change removes it.");
  return toBadge("− BOM", title, t("Put it back"), (text) => bom + without(text));
}

function finalNewlineBadge(before: string | undefined, after: string, t: Translate): TextBadge | undefined {
  const endsOpen = (text: string) => text !== "" && !/[\r\n]$/.test(text);
  const [was, is] = [before !== undefined && endsOpen(before), endsOpen(after)];
  if (is && (was || before === undefined || before === "")) {
    const title = t("The last line has no line ending. This does not change.");
    return toBadge(t("no newline at end"), title);
  }
  if (is) {
    const title = t("The last line of the file on disk has a line ending, this change removes it.");
    return toBadge(t("− newline at end"), title, t("Put it back"), addFinalNewline);
  }
  if (!was || after === "") return undefined;
  const title = t("The last line of the file on disk has no line ending, this change adds one.");
  const remove = (text: string) => text.replace(/(?:\r\n|\r|\n)$/, "");
  return toBadge(t("+ newline at end"), title, t("Remove it"), remove);
}

function addFinalNewline(text: string): string {
  return text === "" || /[\r\n]$/.test(text) ? text : text + dominantLineEnding(countLineEndings(text));
}

export type LineEnding = "\n" | "\r\n" | "\r";

/** The number of line endings of each kind. */
interface LineEndingCounts {
  readonly lf: number;
  readonly crlf: number;
  readonly cr: number;
}

export function countLineEndings(text: string): LineEndingCounts {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf += 1;
    else lf += 1;
  }
  let returns = 0;
  for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", at + 1)) returns += 1;
  return { lf, crlf, cr: returns - crlf };
}

/** The most frequent ending, which Enter inserts; LF in a text of one line. */
export function dominantLineEnding({ lf, crlf, cr }: LineEndingCounts): LineEnding {
  if (crlf > lf && crlf >= cr) return "\r\n";
  return cr > lf ? "\r" : "\n";
}

/** @returns undefined for a text of one line */
function nameLineEndings({ lf, crlf, cr }: LineEndingCounts): string | undefined {
  const kinds = [lf, crlf, cr].filter((count) => count > 0).length;
  if (kinds === 0) return undefined;
  if (kinds > 1) return "mixed";
  if (crlf > 0) return "CRLF";
  return cr > 0 ? "CR" : "LF";
}

/** Gives every line the same ending. */
export function withLineEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r\n|\r|\n/g, ending);
}

/** Explains why the text of a file is not shown. */
export function explainFile(file: Exclude<FileText, { readonly kind: "text" }>, t: Translate): string {
  switch (file.kind) {
    case "binary":
      return t("This is a binary file of $1; it is not shown.", formatBytes(file.size));
    case "too-large":
      return t(
        "This file is too large to be shown: $1, the limit is $2.",
        formatBytes(file.size),
        formatBytes(file.limit),
      );
    case "missing":
      return t("This file does not exist (any more).");
    case "folder":
      return t("This is a folder.");
    case "unreadable":
      return t("This file cannot be read: $1", file.reason);
  }
}

/** Formats a number of bytes: `1.5 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
