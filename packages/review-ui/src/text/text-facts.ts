import type { Translate } from "../language/language.ts";
import { countLineEndings, dominantLineEnding, nameLineEndings, withLineEnding } from "./line-endings.ts";

/** A difference between two texts that a comparison of lines does not show. */
export interface TextBadge {
  readonly kind: "endings" | "bom" | "final-newline";
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
    return { kind: "endings", label: name, title: t("Line endings: $1. They stay as they are.", name) };
  }
  const ending = dominantLineEnding(old);
  return {
    kind: "endings",
    label: `${oldName} → ${name}`,
    title: t("The file on disk has $1 line endings, this change makes them $2.", oldName, name),
    ...(oldName === "mixed"
      ? {}
      : { repair: { label: t("Back to $1", oldName), apply: (text) => withLineEnding(text, ending) } }),
  };
}

function bomBadge(before: string | undefined, after: string, t: Translate): TextBadge | undefined {
  const [had, has] = [before?.startsWith(bom) ?? false, after.startsWith(bom)];
  if (had && has)
    return { kind: "bom", label: "BOM", title: t("The file begins with a byte order mark; it stays.") };
  if (has && before !== undefined) {
    return {
      kind: "bom",
      label: "+ BOM",
      title: t("This change puts a byte order mark at the beginning of the file."),
      repair: { label: t("Remove it"), apply: (text) => (text.startsWith(bom) ? text.slice(1) : text) },
    };
  }
  if (has) return { kind: "bom", label: "BOM", title: t("The new file begins with a byte order mark.") };
  if (!had) return undefined;
  return {
    kind: "bom",
    label: "− BOM",
    title: t("The file on disk begins with a byte order mark, this change removes it."),
    repair: { label: t("Put it back"), apply: (text) => (text.startsWith(bom) ? text : bom + text) },
  };
}

function finalNewlineBadge(before: string | undefined, after: string, t: Translate): TextBadge | undefined {
  const endsOpen = (text: string) => text !== "" && !/[\r\n]$/.test(text);
  const [was, is] = [before !== undefined && endsOpen(before), endsOpen(after)];
  if (is && (was || before === undefined || before === "")) {
    const title = t("The last line has no line ending. This does not change.");
    return { kind: "final-newline", label: t("no newline at end"), title };
  }
  if (is) {
    return {
      kind: "final-newline",
      label: t("− newline at end"),
      title: t("The last line of the file on disk has a line ending, this change removes it."),
      repair: { label: t("Put it back"), apply: (text) => addFinalNewline(text) },
    };
  }
  if (!was || after === "") return undefined;
  return {
    kind: "final-newline",
    label: t("+ newline at end"),
    title: t("The last line of the file on disk has no line ending, this change adds one."),
    repair: { label: t("Remove it"), apply: (text) => text.replace(/(?:\r\n|\r|\n)$/, "") },
  };
}

function addFinalNewline(text: string): string {
  return text === "" || /[\r\n]$/.test(text) ? text : text + dominantLineEnding(countLineEndings(text));
}
