import { type LineChange, linesOf } from "../../files/line-diff.ts";

/** Lines of a file as it is: the first one, 0-based, and how many. */
export type Lines = Pick<LineChange, "line" | "added">;

/**
 * The hunks in some lines of a text, and where these lines are in the text before.
 * @param hunks in the order of lines
 */
export function hunksIn(hunks: readonly LineChange[], ranges: readonly Lines[]) {
  const chosen = new Set<LineChange>();
  const before = ranges.map(({ line, added }): Lines => {
    const touched = hunks.filter((hunk) => hunk.line <= line + added && line <= hunk.line + hunk.added);
    for (const hunk of touched) chosen.add(hunk);
    const start = Math.min(line, ...touched.map((hunk) => hunk.line));
    const end = Math.max(line + added, ...touched.map((hunk) => hunk.line + hunk.added));
    const earlier = hunks.filter((hunk) => hunk.line < start);
    return { line: start + growthOf(earlier), added: end - start + growthOf(touched) };
  });
  return { chosen: hunks.filter((hunk) => chosen.has(hunk)), before };
}

/** How many lines more the text before has. */
const growthOf = (hunks: readonly LineChange[]): number =>
  hunks.reduce((sum, { added, removed }) => sum + removed - added, 0);

/** A text with the lines that the other text has in some hunks. @param isBefore whether the text is the one before them */
export function replaceHunks(
  text: string,
  other: string,
  hunks: readonly LineChange[],
  isBefore: boolean,
): string {
  const [lines, others] = [linesOf(text), linesOf(other)];
  for (const { at, removed, line, added } of hunks.toReversed()) {
    if (isBefore) lines.splice(at, removed, ...others.slice(line, line + added));
    else lines.splice(line, added, ...others.slice(at, at + removed));
  }
  return lines.join("");
}
