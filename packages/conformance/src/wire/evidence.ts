/** Characters of one line of evidence. */
const usual = 400;

/** What was sent and received, as evidence for the report. It never holds tokens. */
export class Evidence {
  readonly lines: string[] = [];
  readonly #secrets = new Set<string>();
  readonly #folders: [path: string, name: string][] = [];

  /** Leaves this out, from now on. */
  hide(secret: string): void {
    if (secret !== "") this.#secrets.add(secret);
  }

  /** Shows this folder by a short name, from now on. */
  shorten(folder: string, name: string): void {
    this.#folders.push([folder, name]);
    // A folder in another one comes first.
    this.#folders.sort(([a], [b]) => b.length - a.length);
  }

  note(text: string): void {
    this.lines.push(this.safe(text));
  }

  /** A text without secrets, on one line of limited length. */
  safe(text: string, longest = usual): string {
    let safe = text;
    for (const secret of this.#secrets) safe = withoutSecret(safe, secret);
    for (const [folder, name] of this.#folders) safe = safe.replaceAll(folder, name);
    safe = safe.replace(/\r?\n/g, " ").replace(/[\p{Cc}\p{Cf}]/gu, toEscape);
    return safe.length > longest
      ? `${safe.slice(0, longest).toWellFormed()}… (${safe.length} characters)`
      : safe;
  }
}

/** Of a word of a few letters, other words may be made: it is left out where it stands alone. */
export function withoutSecret(text: string, secret: string): string {
  if (secret.length >= 8) return text.replaceAll(secret, "<token>");
  const quoted = secret.replace(/[^\w]/g, "\\$&");
  return secret === "" ? text : text.replace(new RegExp(`(?<!\\w)${quoted}(?!\\w)`, "g"), "<token>");
}

const toEscape = (character: string) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, "0")}`;
