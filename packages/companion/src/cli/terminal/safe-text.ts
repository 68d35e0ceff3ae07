/**
 * Makes text that others chose (file names, agents' names, error messages) safe to print: what would move the
 * cursor, clear the screen, start a new line or turn the reading direction is shown as an escape instead.
 */
export function safeText(text: string): string {
  return text.toWellFormed().replace(unsafe, escapeCharacter);
}

/** Control characters, line separators, everything invisible (bidi, zero width, tags), and private use. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  if (short[character] !== undefined) return short[character];
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
}
