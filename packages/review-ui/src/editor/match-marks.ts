import { type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";

/** What is marked in a text. */
export interface Marked {
  /** Global; undefined when nothing is searched. */
  readonly pattern: RegExp | undefined;
  /** Where the match begins that the user looks at. */
  readonly current: number | undefined;
}

export const setMarked = StateEffect.define<Marked>();

const nothing: Marked = { pattern: undefined, current: undefined };

const marked = StateField.define<Marked>({
  create: () => nothing,
  update: (value, { effects }) => {
    let next = value;
    for (const effect of effects) if (effect.is(setMarked)) next = effect.value;
    return next;
  },
});

/** Marks what is searched, as far as it is in sight. */
export function matchMarks(): Extension {
  return [marked, plugin];
}

const match = Decoration.mark({ class: "cm-searchMatch" });
const currentMatch = Decoration.mark({ class: "cm-searchMatch cm-searchMatch-selected" });

const plugin = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = findMarks(view);
    }

    update({ view, docChanged, viewportChanged, startState, state }: ViewUpdate): void {
      const isNews = startState.field(marked) !== state.field(marked);
      if (docChanged || viewportChanged || isNews) this.decorations = findMarks(view);
    }
  },
  { decorations: (value) => value.decorations },
);

function findMarks(view: EditorView): DecorationSet {
  const { pattern, current } = view.state.field(marked);
  const builder = new RangeSetBuilder<Decoration>();
  if (!pattern) return builder.finish();
  for (const { from, to } of view.visibleRanges) {
    for (const found of view.state.sliceDoc(from, to).matchAll(pattern)) {
      const start = from + found.index;
      builder.add(start, start + found[0].length, start === current ? currentMatch : match);
    }
  }
  return builder.finish();
}
