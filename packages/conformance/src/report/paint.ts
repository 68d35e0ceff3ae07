const styles = {
  bold: ["\x1b[1m", "\x1b[22m"],
  dim: ["\x1b[2m", "\x1b[22m"],
  red: ["\x1b[31m", "\x1b[39m"],
  green: ["\x1b[32m", "\x1b[39m"],
  yellow: ["\x1b[33m", "\x1b[39m"],
  cyan: ["\x1b[36m", "\x1b[39m"],
} as const;

/** Gives a text a style. */
export type Paint = Readonly<Record<keyof typeof styles, (text: string) => string>>;

export function createPaint(colour: boolean): Paint {
  const styled =
    ([on, off]: readonly [string, string]) =>
    (text: string) =>
      colour ? `${on}${text}${off}` : text;
  return {
    bold: styled(styles.bold),
    dim: styled(styles.dim),
    red: styled(styles.red),
    green: styled(styles.green),
    yellow: styled(styles.yellow),
    cyan: styled(styles.cyan),
  };
}

/** On a terminal that can, unless `NO_COLOR` is set; anywhere with `FORCE_COLOR`. */
export function wantsColour(
  { FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv,
  isTerminal: boolean,
): boolean {
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  return isTerminal && TERM !== "dumb";
}

/** Columns for a report. A terminal that does not know its width says 0. */
export function widthOf({ columns = 0 }: { readonly columns?: number }): number {
  return columns === 0 ? 120 : Math.min(columns, 120);
}

/** Breaks a text into lines of at most so many columns; a longer word gets its own line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
