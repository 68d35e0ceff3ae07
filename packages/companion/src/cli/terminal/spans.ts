import stringWidth from "string-width";
import { safeText } from "../../files/safe-text.ts";
import type { Paint } from "./paint.ts";

/** Pieces of one line, each with its style. */
export type Line = readonly Span[];
export type Span = readonly [style: keyof Paint, text: string];

/** One line as it is written, cut off with an ellipsis where it is wider than the terminal. */
export function paintLine(line: Line, columns: number, paint: Paint): string {
  let left = columns;
  const painted: string[] = [];
  for (const [style, text] of line) {
    const fitting = cutToWidth(safeText(text), left);
    painted.push(paint[style](fitting));
    left -= stringWidth(fitting);
    if (left <= 0) break;
  }
  return painted.join("");
}

/** @param columns how many the text may take; wide characters take two */
export function cutToWidth(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let width = 1; // the ellipsis
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += stringWidth(segment);
    if (width > columns) break;
    cut += segment;
  }
  return `${cut}…`;
}
