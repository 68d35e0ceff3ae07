import { styleText } from "node:util";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Gives a text a style. */
export type Paint = Readonly<Record<Style, (text: string) => string>>;

/** Styles for a stream, if it is a terminal that can, unless `NO_COLOR` is set; for any with `FORCE_COLOR`. */
export function createPaint(stream: NodeJS.WritableStream): Paint {
  const styled = (style: Style) => (text: string) => styleText(style, text, { stream });
  return {
    bold: styled("bold"),
    dim: styled("dim"),
    red: styled("red"),
    green: styled("green"),
    yellow: styled("yellow"),
    cyan: styled("cyan"),
  };
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
