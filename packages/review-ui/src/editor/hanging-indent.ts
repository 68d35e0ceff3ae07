import { countColumn, RangeSetBuilder } from "@codemirror/state";
import { Decoration } from "@codemirror/view";
import { visibleDecorations } from "./visible-decorations.ts";

/** Columns. Deeper lines would have no room left in a narrow window. */
const deepest = 24;
const tabSize = 4;

/** The style of a line of an editor. */
export function hangingStyle(line: string): string {
  const columns = hangingColumns(line);
  return `text-indent: -${columns}ch; padding-left: calc(8px + ${columns}ch)`;
}

export function hangingColumns(line: string): number {
  const columns = countColumn(/^[ \t]*/.exec(line)?.[0] ?? "", tabSize);
  const hanging = Math.min(columns + 2, deepest);
  // Tab stops are counted from the indentation: they stay where they are only at multiples of their distance.
  return line.includes("\t") ? Math.floor((hanging + 2) / tabSize) * tabSize : hanging;
}

/** The rows of a wrapped line begin below its text, at least two columns further to the right. */
export const hangingIndent = visibleDecorations(({ state: { doc }, visibleRanges }) => {
  const builder = new RangeSetBuilder<Decoration>();
  let last = 0;
  for (const { from, to } of visibleRanges) {
    for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
      const attributes = { style: hangingStyle(line.text) };
      if (line.number > last) builder.add(line.from, line.from, Decoration.line({ attributes }));
      last = Math.max(last, line.number);
      if (line.to >= to || line.number >= doc.lines) break;
    }
  }
  return builder.finish();
});
