/** UTF-16 units from which a text is shown plainly. */
const largeText = 2 * 1024 * 1024;
/** UTF-16 units from which a line is. */
const longLine = 10_000;

/** How much of an editor's comfort a text of this size can bear. */
export interface TextScale {
  readonly isLarge: boolean;
  readonly hasLongLine: boolean;
}

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

/** What is switched off, as a sentence for the user; undefined when nothing is. */
export function explainScale({ isLarge, hasLongLine }: TextScale, view: "file" | "diff"): string | undefined {
  if (!isLarge && !hasLongLine) return undefined;
  const off = view === "diff" ? ["highlighting", "changes within lines"] : ["highlighting"];
  if (hasLongLine) off.push("line wrapping");
  const why = [isLarge ? "over 2 MB" : "", hasLongLine ? "a line of over 10 000 characters" : ""].filter(
    Boolean,
  );
  return `Large file (${why.join(", ")}): ${joinWords(off)} ${off.length > 1 ? "are" : "is"} switched off. The text itself is complete.`;
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
