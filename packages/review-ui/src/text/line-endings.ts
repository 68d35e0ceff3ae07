export type LineEnding = "\n" | "\r\n" | "\r";

/** The number of line endings of each kind. */
export interface LineEndingCounts {
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
export function nameLineEndings({ lf, crlf, cr }: LineEndingCounts): string | undefined {
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
