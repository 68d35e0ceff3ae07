import { getChunks } from "@codemirror/merge";
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, type EditorView } from "@codemirror/view";
import { isAfterLastLine } from "./change-gutter.ts";
import { originalOf } from "./hunks.ts";
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

/**
 * Shows changed blanks as · and →: those that are all of a change, those at the end of a line, and those at its beginning
 * where tabs become spaces, or spaces tabs.
 */
export const changedBlanks = visibleDecorations((view) => {
  const { state, viewport } = view;
  const { doc } = state;
  const builder = new RangeSetBuilder<Decoration>();
  for (const change of visibleChunks(view).flatMap(({ changes }) => changes)) {
    const from = Math.max(change.from, viewport.from);
    const to = Math.min(change.to, viewport.to, doc.length);
    if (from >= to) continue;
    const text = doc.lineAt(to).to === to ? `${state.sliceDoc(from, to)}\n` : state.sliceDoc(from, to);
    for (const { 0: run, index } of text.matchAll(blanksIn(text, change.before()))) {
      for (const [offset, blank] of [...run].entries()) {
        const at = from + index + offset;
        builder.add(at, at + 1, blank === "\t" ? tab : space);
      }
    }
  }
  return builder.finish();
});

/** @param before what was in its place */
function blanksIn(text: string, before: string): RegExp {
  if (/^\s*$/.test(text)) return /[ \t]+/g;
  const isOtherIndent =
    [text, before].some((one) => /^\t/m.test(one)) && [text, before].some((one) => /^ {2}/m.test(one));
  return isOtherIndent ? /^[ \t]+|[ \t]+(?=\r?\n)/gm : /[ \t]+(?=\r?\n)/g;
}

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
function visibleChunks(view: EditorView) {
  const { state, viewport } = view;
  const { chunks = [], side } = getChunks(state) ?? {};
  return chunks.flatMap(({ fromA, endA, fromB, endB, changes }) => {
    const [from, to] = side === "a" ? [fromA, endA] : [fromB, endB];
    if (from > viewport.to || to < viewport.from) return [];
    const ofSide = changes.map((one) => {
      const a = { from: fromA + one.fromA, to: fromA + one.toA };
      // The draft's editor comes last: only there, both texts are known from the beginning.
      if (side === "a") return { ...a, before: () => "" };
      const before = () => originalOf(view).sliceString(a.from, Math.min(a.to, originalOf(view).length));
      return { from: fromB + one.fromB, to: fromB + one.toB, before };
    });
    return [{ from, to, changes: ofSide }];
  });
}
