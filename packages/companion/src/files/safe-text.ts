/** Control characters, line separators, everything invisible (bidi, zero width, tags), and private use. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;

/**
 * Makes text that others chose (file names, agents' names, error messages) safe for a line of a terminal, a log or a
 * message: what would move the cursor, clear the screen, start a new line or turn the reading direction is shown as
 * an escape instead.
 */
export function safeText(text: string): string {
  return text.toWellFormed().replace(unsafe, escapeCharacter);
}

/** The same for a file's name on a screen, without the backslash that is a separator on Windows: `a⟨202E⟩txt`. */
export function safeName(name: string): string {
  return name.toWellFormed().replace(unsafe, (character) => `⟨${hexOf(character).padStart(4, "0")}⟩`);
}

/** Whether a terminal that is sent this text as it is would do more than write. */
export function steersTerminals(text: string): boolean {
  return /[^\P{Cc}\t\n\v\f\r]/u.test(text);
}

/** A text with tabs and line feeds alone: typed into a terminal, it ends no paste and presses no key. */
export const withoutControls = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, (one) => (one === "\n" || one === "\t" ? one : ""));

function escapeCharacter(character: string): string {
  const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const code = hexOf(character).toLowerCase();
  return short[character] ?? (code.length <= 2 ? `\\x${code.padStart(2, "0")}` : `\\u{${code}}`);
}

const hexOf = (character: string) => (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
