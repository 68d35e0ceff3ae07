import { getChunks, getOriginalDoc, mergeViewSiblings, uncollapseUnchanged } from "@codemirror/merge";
import { type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** An occurrence of the searched text. */
export interface Match {
  readonly view: EditorView;
  readonly from: number;
  /** Its end; equal to `from` for a match in deleted lines, which are shown before `from`. */
  readonly to: number;
}

/** More matches than this are not counted. */
export const maxMatches = 5000;

/** A pattern that matches a text literally. */
export function toPattern(text: string, matchesCase: boolean): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), matchesCase ? "gu" : "giu");
}

/** Finds all matches in all views, from top to bottom. */
export function findMatches(views: readonly EditorView[], pattern: RegExp): readonly Match[] {
  const found = views.flatMap((view) => [...findInText(view, pattern), ...findInDeleted(view, pattern)]);
  return found
    .map((match, index) => ({ match, index, top: match.view.lineBlockAt(match.from).top }))
    .sort((one, other) => one.top - other.top || one.index - other.index)
    .slice(0, maxMatches)
    .map(({ match }) => match);
}

function findInText(view: EditorView, pattern: RegExp): readonly Match[] {
  const matches: Match[] = [];
  for (const { index, 0: text } of view.state.doc.toString().matchAll(pattern)) {
    matches.push({ view, from: index, to: index + text.length });
    if (matches.length === maxMatches) break;
  }
  return matches;
}

/** The deleted lines of the unified view are not in its document. */
function findInDeleted(view: EditorView, pattern: RegExp): readonly Match[] {
  const chunks = mergeViewSiblings(view) ? undefined : getChunks(view.state)?.chunks;
  if (!chunks) return [];
  const original = getOriginalDoc(view.state);
  return chunks.flatMap(({ fromA, endA, fromB }) => {
    const from = Math.min(fromB, view.state.doc.length);
    return [...original.sliceString(fromA, endA).matchAll(pattern)].map(() => ({ view, from, to: from }));
  });
}

/** Marks all matches and scrolls to one, unfolding lines if necessary. */
export function showMatches(views: readonly EditorView[], pattern: RegExp | undefined, match?: Match): void {
  for (const view of views) {
    const current = view === match?.view ? match.from : undefined;
    view.dispatch({ effects: setMarked.of({ pattern, current }) });
  }
  if (!match) return;
  unfold(match);
  scrollTo(match);
}

/** Frames in which what was unfolded is drawn, and both sides are aligned again. */
const settling = 10;

/** Lines above it may get another height in the next frames, and move it off the screen. */
function scrollTo({ view, from }: Match): void {
  const scroll = () => view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) });
  const keep = (frames: number) =>
    requestAnimationFrame(() => {
      if (!view.dom.isConnected || view.state.field(marked, false)?.current !== from) return;
      if (view.coordsAtPos(from) === null) scroll();
      if (frames > 1) keep(frames - 1);
    });
  scroll();
  keep(settling);
}

function unfold({ view, from }: Match): void {
  const folded = foldedAround(view, from);
  if (folded === undefined) return;
  view.dispatch({ effects: uncollapseUnchanged.of(folded) });
  const both = mergeViewSiblings(view);
  const other = both && (both.a === view ? both.b : both.a);
  if (!both || !other) return;
  const isA = both.a === view;
  const last = getChunks(view.state)?.chunks.findLast(({ toA, toB }) => (isA ? toA : toB) <= folded);
  const [own, others] = isA ? [last?.toA, last?.toB] : [last?.toB, last?.toA];
  other.dispatch({ effects: uncollapseUnchanged.of(folded - (own ?? 0) + (others ?? 0)) });
}

/** The start of the folded lines that hide a position. */
function foldedAround({ state }: EditorView, position: number): number | undefined {
  let start: number | undefined;
  for (const decorations of state.facet(EditorView.decorations)) {
    if (typeof decorations === "function") continue;
    decorations.between(position, position, (from, to, { spec }) => {
      if (spec.block && to > from) start = from;
    });
  }
  return start;
}

/** The marked matches of a text. */
export interface Marked {
  /** Global; undefined when nothing is searched. */
  readonly pattern: RegExp | undefined;
  /** The start of the current match. */
  readonly current: number | undefined;
}

const setMarked = StateEffect.define<Marked>();

const nothing: Marked = { pattern: undefined, current: undefined };

const marked = StateField.define<Marked>({
  create: () => nothing,
  update: (value, { effects }) => {
    let next = value;
    for (const effect of effects) if (effect.is(setMarked)) next = effect.value;
    return next;
  },
});

/** Marks the visible matches. */
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
