import { getChunks } from "@codemirror/merge";
import { type Extension, RangeSetBuilder } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

/** Shows changed blanks as · and →: those that are all of a change, and those at the end of a line. */
export const changedBlanks: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = findBlanks(view);
    }

    update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate): void {
      const isNews = getChunks(startState)?.chunks !== getChunks(state)?.chunks;
      if (docChanged || viewportChanged || isNews) this.decorations = findBlanks(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

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

const marks = {
  "\t": Decoration.mark({ class: "cm-changedTab" }),
  " ": Decoration.mark({ class: "cm-changedSpace" }),
};

function findBlanks({ state, viewport }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { chunks = [], side = "b" } = getChunks(state) ?? {};
  for (const { fromA, fromB, changes } of chunks) {
    for (const change of changes) {
      const [start, end] =
        side === "a"
          ? [fromA + change.fromA, fromA + change.toA]
          : [fromB + change.fromB, fromB + change.toB];
      const [from, to] = [Math.max(start, viewport.from), Math.min(end, viewport.to, state.doc.length)];
      if (from >= to) continue;
      const text = state.sliceDoc(from, to);
      const isBlank = /^\s*$/.test(text);
      for (const { 0: run, index } of text.matchAll(isBlank ? /[ \t]+/g : /[ \t]+(?=\r?\n)/g)) {
        for (const [offset, blank] of [...run].entries()) {
          const at = from + index + offset;
          builder.add(at, at + 1, marks[blank === "\t" ? "\t" : " "]);
        }
      }
    }
  }
  return builder.finish();
}
