import type { Translate } from "../language/language.ts";

/** A longer text is shown without highlighting, in UTF-16 units. */
const largeText = 2 * 1024 * 1024;
/** A text with a longer line is shown without highlighting and wrapping, in UTF-16 units. */
const longLine = 10_000;

/** What decides on the editor's features for a text. */
export interface TextScale {
  readonly isLarge: boolean;
  readonly hasLongLine: boolean;
}

/** Too large for all that looks into its lines. */
export const isPlain = ({ isLarge, hasLongLine }: TextScale): boolean => isLarge || hasLongLine;

export function measureText(...texts: readonly string[]): TextScale {
  return { isLarge: texts.some((text) => text.length > largeText), hasLongLine: texts.some(hasLongLine) };
}

function hasLongLine(text: string): boolean {
  let start = 0;
  while (text.length - start > longLine) {
    const end = text.indexOf("\n", start);
    if (end < 0 || end - start > longLine) return true;
    start = end + 1;
  }
  return false;
}

/** Explains what is switched off; undefined when nothing is. */
export function explainScale(
  { isLarge, hasLongLine }: TextScale,
  view: "file" | "diff",
  t: Translate,
): string | undefined {
  if (!isLarge && !hasLongLine) return undefined;
  const off = view === "diff" ? [t("highlighting"), t("changes within lines")] : [t("highlighting")];
  if (hasLongLine) off.push(t("line wrapping"));
  const why = [isLarge ? t("over 2 MB") : "", hasLongLine ? t("a line of over 10 000 characters") : ""];
  const reasons = why.filter(Boolean).join(", ");
  return t("Large file ($1). Switched off: $2. The text itself is complete.", reasons, off.join(", "));
}
