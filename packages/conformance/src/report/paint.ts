import { styleText } from "node:util";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Gives a text a style. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

export function createPaint(colour: boolean): Paint {
  const styled = (style: Style) => (text: string) =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  return {
    bold: styled("bold"),
    dim: styled("dim"),
    red: styled("red"),
    green: styled("green"),
    yellow: styled("yellow"),
    cyan: styled("cyan"),
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
