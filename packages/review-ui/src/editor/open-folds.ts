import { mergeViewSiblings, uncollapseUnchanged } from "@codemirror/merge";
import type { EditorState, SelectionRange } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/**
 * Opens each fold that the cursor or the selection comes into: the browser draws neither there, and puts what is typed
 * next to the fold. A selection that the mouse draws only opens folds at its release, as opening moves the lines.
 */
export const openFolds = [
  EditorView.updateListener.of(({ view, selectionSet, focusChanged, transactions }) => {
    const isDrawn = transactions.some((one) => one.isUserEvent("select.pointer"));
    if ((selectionSet && !isDrawn) || (focusChanged && view.hasFocus)) open(view);
  }),
  EditorView.domEventHandlers({
    mouseup: (_event, view) => {
      // CodeMirror hears of the last move after this event.
      setTimeout(() => open(view));
    },
  }),
];

function open(view: EditorView): void {
  // With every key that is typed: most texts have no fold there.
  if (!view.state.selection.ranges.some((range) => foldsOf(view.state, range).length > 0)) return;
  const folds = foldsOf(view.state);
  const touched = folds.flatMap((fold, index) =>
    view.state.selection.ranges.some((range) => touches(range, fold)) ? [index] : [],
  );
  const { a, b } = mergeViewSiblings(view) ?? { a: view, b: view };
  // The folds of two sides are pairs.
  for (const side of new Set([a, b])) {
    const starts = foldsOf(side.state).map(({ from }) => from);
    const effects = touched.flatMap((index) => {
      const start = starts[index];
      return start === undefined ? [] : [uncollapseUnchanged.of(start)];
    });
    side.dispatch({ effects });
  }
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
}

interface Fold {
  readonly from: number;
  readonly to: number;
}

function touches({ from, to }: SelectionRange, fold: Fold): boolean {
  return from <= fold.to && to >= fold.from;
}

/** From top to bottom, those that touch the range, by default the whole text. */
function foldsOf(state: EditorState, range: Fold = { from: 0, to: state.doc.length }): readonly Fold[] {
  const folds: Fold[] = [];
  for (const decorations of state.facet(EditorView.decorations)) {
    if (typeof decorations === "function") continue;
    decorations.between(range.from, range.to, (from, to, { spec }) => {
      if (from < to && spec.block && spec.widget) folds.push({ from, to });
    });
  }
  return folds;
}
