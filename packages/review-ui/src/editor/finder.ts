import { getChunks, getOriginalDoc, mergeViewSiblings } from "@codemirror/merge";
import { type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, type ViewUpdate } from "@codemirror/view";
import { keepFolds, showAround } from "./folds.tsx";
import { placeIn, showPlace } from "./place.ts";
import { visibleDecorations } from "./visible-decorations.ts";

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

/**
 * Finds all matches from top to bottom: in the text, and in what a diff removes. What both sides of a diff have is found
 * once.
 */
export function findMatches(views: readonly EditorView[], pattern: RegExp): readonly Match[] {
  const view = views.at(-1);
  if (!view) return [];
  return [...findRemoved(view, pattern), ...findInText(view, pattern)]
    .map((match) => ({ match, top: match.view.lineBlockAt(match.from).top }))
    .sort((one, other) => one.top - other.top)
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

/** The removed lines are on the left side, or not in a document. */
function findRemoved(view: EditorView, pattern: RegExp): readonly Match[] {
  const left = mergeViewSiblings(view)?.a;
  const chunks = getChunks(view.state)?.chunks ?? [];
  if (chunks.length === 0) return [];
  const original = left?.state.doc ?? getOriginalDoc(view.state);
  return chunks.flatMap(({ fromA, endA, fromB }) => {
    const from = Math.min(fromB, view.state.doc.length);
    return [...original.sliceString(fromA, endA).matchAll(pattern)].map(({ index, 0: { length } }) =>
      left ? { view: left, from: fromA + index, to: fromA + index + length } : { view, from, to: from },
    );
  });
}

/** Marks all matches and scrolls to one. Only its folded lines are shown. */
export function showMatches(views: readonly EditorView[], pattern: RegExp | undefined, match?: Match): void {
  for (const view of views) {
    const current = view === match?.view ? match.from : undefined;
    view.dispatch({ effects: setMarked.of({ pattern, current }) });
  }
  keepFolds(views, "restore");
  if (!match) return;
  showAround(match.view, match.from);
  scrollTo(match);
}

/**
 * Remembers where the user is in a diff, and what is folded there.
 * @returns what leads back there; undefined in a file, in which a search moves the cursor
 */
export function rememberPlace(views: readonly EditorView[]): (() => void) | undefined {
  const view = views.at(-1);
  const frame = view?.dom.closest(".editor");
  if (!view || !frame || !getChunks(view.state)) return undefined;
  keepFolds(views, "keep");
  const { selection } = view.state;
  const place = placeIn(view, frame);
  return () => {
    if (!view.dom.isConnected) return;
    keepFolds(views, "forget");
    if (view.state.selection.eq(selection)) showPlace(view, place);
  };
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
  return [
    marked,
    visibleDecorations(findMarks, hasOtherMarks),
    EditorView.updateListener.of((update) => {
      const { view, docChanged, viewportChanged, state } = update;
      const isSearched = state.field(marked).pattern !== undefined;
      if (hasOtherMarks(update) || (isSearched && (docChanged || viewportChanged)))
        view.requestMeasure({ key: markRemoved, read: markRemoved });
    }),
  ];
}

const match = Decoration.mark({ class: "cm-searchMatch" });
const currentMatch = Decoration.mark({ class: "cm-searchMatch cm-searchMatch-selected" });

const hasOtherMarks = ({ startState, state }: ViewUpdate) => startState.field(marked) !== state.field(marked);

function findMarks(view: EditorView): DecorationSet {
  const { pattern, current } = view.state.field(marked);
  const builder = new RangeSetBuilder<Decoration>();
  const diff = getChunks(view.state);
  // Of the left side only the removed lines are searched.
  const isOutside = (at: number) =>
    diff?.side === "a" && !diff.chunks.some(({ fromA, toA }) => fromA <= at && at < toA);
  if (!pattern) return builder.finish();
  for (const { from, to } of view.visibleRanges) {
    for (const found of view.state.sliceDoc(from, to).matchAll(pattern)) {
      const start = from + found.index;
      if (isOutside(start)) continue;
      builder.add(start, start + found[0].length, start === current ? currentMatch : match);
    }
  }
  return builder.finish();
}

/** Matches in the removed lines of each unified view. */
const removed = new Map<EditorView, readonly Range[]>();

/** The removed lines of the unified view are in no document: the browser marks what is found in them. */
function markRemoved(view: EditorView): void {
  if (!("highlights" in CSS)) return;
  const { pattern } = view.state.field(marked);
  const ranges: Range[] = [];
  for (const line of view.contentDOM.querySelectorAll(".cm-deletedLine")) {
    for (const { index, 0: text } of pattern ? (line.textContent ?? "").matchAll(pattern) : []) {
      const range = document.createRange();
      range.setStart(...placeInLine(line, index));
      range.setEnd(...placeInLine(line, index + text.length));
      ranges.push(range);
    }
  }
  removed.set(view, ranges);
  for (const one of removed.keys()) if (!one.dom.isConnected) removed.delete(one);
  CSS.highlights.set("removed-match", new Highlight(...[...removed.values()].flat()));
}

/** Syntax divides a line into several elements. */
function placeInLine(line: Element, offset: number): [Node, number] {
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
  let rest = offset;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.textContent ?? "";
    if (rest <= length) return [node, rest];
    rest -= length;
  }
  return [line, 0];
}
