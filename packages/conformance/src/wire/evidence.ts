/** Characters of one line of evidence. */
const usual = 400;

/** What was sent and received, as evidence for the report. It never holds tokens. */
export class Evidence {
  readonly lines: string[] = [];
  readonly #secrets: Set<string>;

  constructor(secrets: Iterable<string>) {
    this.#secrets = new Set(secrets);
  }

  /** Leaves this out, too, from now on. */
  hide(secret: string): void {
    if (secret !== "") this.#secrets.add(secret);
  }

  note(text: string): void {
    this.lines.push(this.safe(text));
  }

  /** A text without secrets, on one line of limited length. */
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
