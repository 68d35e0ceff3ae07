/** Characters of one line of evidence. */
const usual = 400;

/** What was sent and what came back, as evidence for the report. Tokens never get into it. */
export class Evidence {
  readonly lines: string[] = [];
  readonly #secrets: Set<string>;

  constructor(secrets: Iterable<string>) {
    this.#secrets = new Set(secrets);
  }

  /** From now on this is left out as well. */
  hide(secret: string): void {
    if (secret !== "") this.#secrets.add(secret);
  }

  note(text: string): void {
    this.lines.push(this.safe(text));
  }

  /** A text without secrets, on one line, and not too long for one. */
  safe(text: string, longest = usual): string {
    let safe = text;
    for (const secret of this.#secrets) safe = safe.replaceAll(secret, "<token>");
    safe = safe.replace(/\r?\n/g, " ").replace(/[\p{Cc}\p{Cf}]/gu, toEscape);
    return safe.length > longest
      ? `${safe.slice(0, longest).toWellFormed()}… (${safe.length} characters)`
      : safe;
  }
}

const toEscape = (character: string) => `\\u${character.codePointAt(0)?.toString(16).padStart(4, "0")}`;
