import { getChunks, mergeViewSiblings } from "@codemirror/merge";
import {
  type EditorState,
  type Extension,
  RangeSetBuilder,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { DrawnWidget } from "./drawn-widget.tsx";
import {
  count,
  enclosingLine,
  gapsOf,
  type Lines,
  least,
  mapLines,
  margin,
  onOtherSide,
  touches,
  unchanged,
  without,
} from "./fold-lines.ts";
import { phrase } from "./phrase.ts";

/** Lines that are shown at a time. */
const step = 20;

interface Folds {
  /** All unchanged lines that can be hidden. */
  readonly gaps: readonly Lines[];
  readonly hidden: readonly Lines[];
  /** What was hidden before a search. */
  readonly kept: readonly Lines[] | undefined;
  readonly bars: DecorationSet;
}

const setHidden = StateEffect.define<readonly Lines[]>({ map: mapLines });
/** Remembers what is hidden; hides that again, and remembers it still; hides it for the last time. */
const keepHidden = StateEffect.define<"keep" | "restore" | "forget">();

const field = StateField.define<Folds>({
  create: (state) => foldAll(state),
  update: (folds, { state, startState, changes, docChanged, effects }) => {
    const chunks = getChunks(state);
    const former = getChunks(startState);
    // The merge view adds its comparison to an editor that is there already.
    if (!former) return chunks ? foldAll(state) : folds;
    let { gaps, hidden, kept } = folds;
    if (docChanged || chunks?.chunks !== former.chunks) {
      const follow = (lines: readonly Lines[]) => unchanged(mapLines(lines, changes), state);
      [gaps, hidden, kept] = [follow(gaps), follow(hidden), kept && follow(kept)];
    }
    for (const effect of effects) {
      if (effect.is(setHidden)) hidden = effect.value;
      if (!effect.is(keepHidden)) continue;
      if (effect.value !== "keep") hidden = kept ?? hidden;
      kept = effect.value === "forget" ? undefined : hidden;
    }
    if (gaps === folds.gaps && hidden === folds.hidden) return { ...folds, kept };
    return { gaps, hidden, kept, bars: buildBars(state.doc, gaps, hidden) };
  },
  provide: (self) => EditorView.decorations.from(self, ({ bars }) => bars),
});

/**
 * Hides lines that are far from changes. The user shows them by a bar, 20 at a time, and hides them again. Lines that the
 * cursor or the selection comes into are shown: the browser draws neither in hidden lines, and puts what is typed next to
 * them. While the mouse draws a selection nothing is shown, as that moves the lines.
 */
export const folds: Extension = [
  field,
  EditorView.updateListener.of(({ view, selectionSet, focusChanged, transactions }) => {
    const isDrawn = transactions.some((one) => one.isUserEvent("select.pointer"));
    if ((selectionSet && !isDrawn) || (focusChanged && view.hasFocus)) showSelected(view);
  }),
  EditorView.domEventHandlers({
    mouseup: (_event, view) => {
      // CodeMirror hears of the last move after this event.
      setTimeout(() => showSelected(view));
    },
  }),
];

/** Shows a position, and lines around it. */
export function showAround(view: EditorView, position: number): void {
  show(view, { from: position, to: position }, step / 2);
}

/** Remembers what is hidden in the editors of a diff, and hides it again. */
export function keepFolds(views: readonly EditorView[], what: "keep" | "restore" | "forget"): void {
  for (const view of views) view.dispatch({ effects: keepHidden.of(what) });
  if (what !== "keep") for (const view of views) if (view.hasFocus) showSelected(view);
}

function showSelected(view: EditorView): void {
  const hidden = view.state.field(field, false)?.hidden ?? [];
  // With every key that is typed: most texts have no fold there.
  const touched = view.state.selection.ranges.filter((range) =>
    hidden.some((lines) => touches(lines, range)),
  );
  if (touched.length === 0) return;
  for (const range of touched) show(view, range, step);
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
}

/** @param around lines above and below that are shown as well */
function show(view: EditorView, { from, to }: Lines, around: number): void {
  const { doc } = view.state;
  const first = Math.max(1, doc.lineAt(from).number - around);
  const last = Math.min(doc.lines, doc.lineAt(to).number + around);
  const shown = { from: doc.line(first).from, to: doc.line(last).to };
  const hidden = view.state.field(field, false)?.hidden ?? [];
  if (!hidden.some((lines) => touches(lines, { from, to }))) return;
  hide(
    view,
    hidden.flatMap((lines) => (touches(lines, { from, to }) ? without(lines, shown, doc) : [lines])),
  );
}

/** Hides these lines, and the same ones on the other side. */
function hide(view: EditorView, hidden: readonly Lines[]): void {
  view.dispatch({ effects: setHidden.of(hidden) });
  const { a, b } = mergeViewSiblings(view) ?? {};
  const other = a === view ? b : a;
  other?.dispatch({ effects: setHidden.of(onOtherSide(view.state, hidden)) });
}

function foldAll(state: EditorState): Folds {
  const gaps = gapsOf(state);
  return { gaps, hidden: gaps, kept: undefined, bars: buildBars(state.doc, gaps, gaps) };
}

function buildBars(doc: Text, gaps: readonly Lines[], hidden: readonly Lines[]): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  let next = 0;
  for (const [gap, whole] of gaps.entries()) {
    const parts: Lines[] = [];
    for (let lines = hidden[next]; lines && lines.from <= whole.to; lines = hidden[++next]) parts.push(lines);
    for (const lines of parts) {
      const isWhole = lines.from === whole.from && lines.to === whole.to;
      const widget = toWidget({ gap, lines, count: count(doc, lines), length: doc.length, isWhole });
      builder.add(lines.from, lines.to, Decoration.replace({ widget, block: true }));
    }
    if (parts.length > 0) continue;
    const widget = toWidget({ gap, lines: undefined, count: 0, length: doc.length, isWhole: false });
    builder.add(whole.from, whole.from, Decoration.widget({ widget, block: true, side: -2 }));
  }
  return builder.finish();
}

interface Bar {
  /** The index of all lines that can be hidden here. */
  readonly gap: number;
  /** What it hides; undefined where the user has shown all of it. */
  readonly lines: Lines | undefined;
  readonly count: number;
  /** Of the text. */
  readonly length: number;
  /** Nothing of the gap has been shown. */
  readonly isWhole: boolean;
}

const toWidget = (bar: Bar) =>
  new DrawnWidget({
    key: [bar.gap, bar.count, bar.isWhole],
    height: 28,
    draw: (view) => <FoldBar view={view} bar={bar} />,
  });

function FoldBar({ view, bar }: { readonly view: EditorView; readonly bar: Bar }) {
  const { gap, lines, count: hidden, length, isWhole } = bar;
  const { state } = view;
  // The left side of a diff hides the same lines: one button on it is enough, and no stop of Tab.
  const isLeft = getChunks(state)?.side === "a";
  const button = (text: string, label: string, act: (button: HTMLElement) => void) => (
    <button
      type="button"
      class="fold-button"
      title={label}
      aria-label={label}
      {...(isLeft && { tabIndex: -1 })}
      onClick={({ currentTarget }) => {
        act(currentTarget);
        // The bar is another one now.
        const next = view.contentDOM.querySelector<HTMLElement>(`.fold-bar[data-gap="${gap}"] button`);
        (next ?? view.contentDOM).focus({ preventScroll: true });
      }}
    >
      {text}
    </button>
  );
  const all = phrase(state, "$ unchanged lines", hidden);
  const first = phrase(state, "Show the first $1 of them", step);
  const last = phrase(state, "Show the last $1 of them", step);
  const isLong = lines !== undefined && hidden >= step + least && !isLeft;
  const name = lines && lines.to < length ? nameBelow(state.doc, lines.to) : undefined;
  return (
    <div class={lines ? "fold-bar" : "fold-bar fold-shown"} data-gap={gap}>
      {lines && button(`⋯ ${all}`, all, (at) => showOf(view, at, 0, hidden))}
      {isLong && lines.from > 0 && button(`↓ ${step}`, first, (at) => showOf(view, at, 0, step))}
      {isLong &&
        lines.to < length &&
        button(`↑ ${step}`, last, (at) => showOf(view, at, hidden - step, hidden))}
      {!isWhole &&
        !isLeft &&
        button(phrase(state, "Fold"), phrase(state, "Fold again"), () => foldAgain(view, gap))}
      <span class="fold-place cut-off grow" title={name}>
        {name}
      </span>
    </div>
  );
}

/** Shows hidden lines, counted from the first one that the bar hides in which a button is. */
function showOf(view: EditorView, button: HTMLElement, first: number, end: number): void {
  const { doc } = view.state;
  const { number } = doc.lineAt(view.posAtDOM(button));
  show(view, { from: doc.line(number + first).from, to: doc.line(number + end - 1).to }, 0);
}

function foldAgain(view: EditorView, index: number): void {
  const { gaps, hidden } = view.state.field(field);
  const gap = gaps[index];
  if (!gap) return;
  const others = hidden.filter((lines) => !touches(lines, gap));
  const next = others.findIndex(({ from }) => from > gap.from);
  // The cursor leaves the hidden lines, which it would show again.
  const at = gap.to < view.state.doc.length ? gap.to + 1 : Math.max(0, gap.from - 1);
  if (touches(view.state.selection.main, gap)) view.dispatch({ selection: { anchor: at } });
  hide(view, others.toSpliced(next < 0 ? others.length : next, 0, gap));
}

/** The function in which the first lines below hidden ones are. */
function nameBelow(doc: Text, end: number): string | undefined {
  const first = doc.lineAt(end).number + 1;
  for (let line = first; line < Math.min(first + margin, doc.lines); line += 1)
    if (/[\p{L}\d]/u.test(doc.line(line).text)) return enclosingLine(doc, line);
  return undefined;
}
