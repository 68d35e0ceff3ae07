import { getChunks } from "@codemirror/merge";
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type EditorView } from "@codemirror/view";
import { isAfterLastLine } from "./change-gutter.ts";
import { visibleDecorations } from "./visible-decorations.ts";

const wholeLine = Decoration.line({ class: "cm-wholeLine" });
const noLine = Decoration.line({ class: "cm-noLine" });

/** Marks lines that have changed completely. Their text has no second colour. */
export const wholeLines = visibleDecorations((view) => {
  const { state, viewport } = view;
  const { doc } = state;
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, changes } of visibleChunks(view)) {
    const end = Math.min(to, viewport.to);
    for (let line = doc.lineAt(Math.max(from, viewport.from)); ; line = doc.line(line.number + 1)) {
      const isWhole = changes.some((change) => change.from <= line.from && change.to >= line.to);
      if (isAfterLastLine(state, line.from)) builder.add(line.from, line.from, noLine);
      else if (isWhole && line.length > 0) builder.add(line.from, line.from, wholeLine);
      if (line.to >= end || line.number >= doc.lines) break;
    }
  }
  return builder.finish();
});

const space = Decoration.mark({ class: "cm-changedSpace" });
const tab = Decoration.mark({ class: "cm-changedTab" });

/** Shows changed blanks as · and →: those that are all of a change, and those at the end of a line. */
export const changedBlanks = visibleDecorations((view) => {
  const { state, viewport } = view;
  const builder = new RangeSetBuilder<Decoration>();
  for (const change of visibleChunks(view).flatMap(({ changes }) => changes)) {
    const from = Math.max(change.from, viewport.from);
    const to = Math.min(change.to, viewport.to, state.doc.length);
    if (from >= to) continue;
    const text = state.sliceDoc(from, to);
    const isBlank = /^\s*$/.test(text);
    for (const { 0: run, index } of text.matchAll(isBlank ? /[ \t]+/g : /[ \t]+(?=\r?\n)/g)) {
      for (const [offset, blank] of [...run].entries()) {
        const at = from + index + offset;
        builder.add(at, at + 1, blank === "\t" ? tab : space);
      }
    }
  }
  return builder.finish();
});

/** Shows the blanks of a removed text in the unified view, where that is nothing else. */
export function markBlanks(element: HTMLElement): void {
  const text = element.textContent ?? "";
  if (!/^[ \t]+$/.test(text)) return;
  element.replaceChildren(
    ...[...text].map((blank) => {
      const mark = document.createElement("span");
      mark.className = blank === "\t" ? "cm-changedTab" : "cm-changedSpace";
      mark.textContent = blank;
      return mark;
    }),
  );
}

/** The chunks of the view's side, and what has changed in them. */
function visibleChunks({ state, viewport }: EditorView) {
  const { chunks = [], side } = getChunks(state) ?? {};
  const ofSide = chunks.map(({ fromA, endA, fromB, endB, changes }) =>
    side === "a"
      ? {
          from: fromA,
          to: endA,
          changes: changes.map((one) => ({ from: fromA + one.fromA, to: fromA + one.toA })),
        }
      : {
          from: fromB,
          to: endB,
          changes: changes.map((one) => ({ from: fromB + one.fromB, to: fromB + one.toB })),
        },
  );
  return ofSide.filter(({ from, to }) => from <= viewport.to && to >= viewport.from);
}
