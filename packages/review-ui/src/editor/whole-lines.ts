import { type Chunk, getChunks } from "@codemirror/merge";
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { isAfterLastLine } from "./change-gutter.ts";

/** Marks lines that have changed completely. Their text has no second colour. */
export const wholeLines: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = findWholeLines(view);
    }

    update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate): void {
      const isNews = getChunks(startState)?.chunks !== getChunks(state)?.chunks;
      if (docChanged || viewportChanged || isNews) this.decorations = findWholeLines(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

const wholeLine = Decoration.line({ class: "cm-wholeLine" });
const noLine = Decoration.line({ class: "cm-noLine" });

function findWholeLines(view: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const found = getChunks(view.state);
  const { from, to } = view.viewport;
  for (const chunk of found?.chunks ?? []) {
    const [start, end, changes] = sideOf(chunk, found?.side ?? "b");
    if (start > to) break;
    if (end < from) continue;
    addWholeLines(view, builder, { from: Math.max(start, from), to: Math.min(end, to) }, changes);
  }
  return builder.finish();
}

interface Span {
  readonly from: number;
  readonly to: number;
}

function sideOf(
  chunk: Chunk,
  side: "a" | "b",
): readonly [start: number, end: number, changes: readonly Span[]] {
  const { fromA, endA, fromB, endB, changes } = chunk;
  return side === "a"
    ? [fromA, endA, changes.map((change) => ({ from: fromA + change.fromA, to: fromA + change.toA }))]
    : [fromB, endB, changes.map((change) => ({ from: fromB + change.fromB, to: fromB + change.toB }))];
}

function addWholeLines(
  { state }: EditorView,
  builder: RangeSetBuilder<Decoration>,
  { from, to }: Span,
  changes: readonly Span[],
): void {
  const { doc } = state;
  for (let line = doc.lineAt(from); ; line = doc.line(line.number + 1)) {
    const isWhole = changes.some((change) => change.from <= line.from && change.to >= line.to);
    if (isAfterLastLine(state, line.from)) builder.add(line.from, line.from, noLine);
    else if (isWhole && line.length > 0) builder.add(line.from, line.from, wholeLine);
    if (line.to >= to || line.number >= doc.lines) return;
  }
}
