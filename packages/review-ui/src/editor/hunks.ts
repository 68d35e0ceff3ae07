import { type Chunk, getChunks, getOriginalDoc, mergeViewSiblings } from "@codemirror/merge";
import { type EditorState, StateEffect, StateField, type Text, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Marks the hunk at a position as viewed, or not. */
export const setViewed = StateEffect.define<{ readonly at: number; readonly viewed: boolean }>({
  map: ({ at, viewed }, changes) => ({ at: changes.mapPos(at), viewed }),
});

/** The start positions of hunks that the user has marked as viewed. */
export const viewedPositions = StateField.define<readonly number[]>({
  create: () => [],
  update: (positions, transaction) => {
    let next = transaction.docChanged ? positions.map((at) => transaction.changes.mapPos(at)) : positions;
    for (const effect of transaction.effects) {
      if (!effect.is(setViewed)) continue;
      const { at, viewed } = effect.value;
      next = next.filter((position) => position !== at);
      if (viewed) next = [...next, at];
    }
    return next;
  },
});

/** A changed block of lines, with positions in the draft. */
export interface Hunk {
  readonly index: number;
  readonly total: number;
  readonly from: number;
  readonly to: number;
  readonly isViewed: boolean;
  readonly chunk: Chunk;
}

export function hunksOf(state: EditorState): readonly Hunk[] {
  const chunks = getChunks(state)?.chunks ?? [];
  const viewed = state.field(viewedPositions, false) ?? [];
  return chunks.map((chunk, index) => ({
    index,
    total: chunks.length,
    from: chunk.fromB,
    to: chunk.endB,
    isViewed: viewed.some((at) => at >= chunk.fromB && at <= chunk.endB),
    chunk,
  }));
}

/** By names of their lines, and of how many of the same lines are before them: the same in every page and layout. */
function hunksByKey(view: EditorView): ReadonlyMap<string, Hunk> {
  const counts = new Map<string, number>();
  return new Map(
    hunksOf(view.state).map((hunk) => {
      const name = nameOf(view, hunk);
      const before = counts.get(name) ?? 0;
      counts.set(name, before + 1);
      return [`${name}.${before}`, hunk];
    }),
  );
}

function nameOf(view: EditorView, { chunk: { fromA, toA, fromB, toB } }: Hunk): string {
  const slice = (text: Text, from: number, to: number) => text.sliceString(from, Math.min(text.length, to));
  const lines = `${slice(originalOf(view), fromA, toA)}\0${slice(view.state.doc, fromB, toB)}`;
  let hash = 0;
  for (let at = 0; at < lines.length; at += 1) hash = (Math.imul(hash, 31) + lines.charCodeAt(at)) | 0;
  return `${lines.length}.${hash >>> 0}`;
}

/** Of the hunks that are marked as viewed. */
export function viewedKeys(view: EditorView): readonly string[] {
  return [...hunksByKey(view)].flatMap(([key, { isViewed }]) => (isViewed ? [key] : []));
}

/** Marks these hunks and no others. */
export function showViewed(view: EditorView, keys: readonly string[]): void {
  const effects = [...hunksByKey(view)].flatMap(([key, { from, isViewed }]) => {
    const viewed = keys.includes(key);
    return viewed === isViewed ? [] : [setViewed.of({ at: from, viewed })];
  });
  if (effects.length > 0) view.dispatch({ effects, annotations: Transaction.remote.of(true) });
}

/** Marks all hunks as viewed; none where all are. */
export function toggleAllViewed(view: EditorView): void {
  const hunks = hunksOf(view.state);
  const viewed = !isAllViewed(view);
  view.dispatch({ effects: hunks.map(({ from }) => setViewed.of({ at: from, viewed })) });
}

export const isAllViewed = (view: EditorView): boolean => {
  const hunks = hunksOf(view.state);
  return hunks.length > 0 && hunks.every(({ isViewed }) => isViewed);
};

/** The hunk at the cursor. */
export function currentHunk(state: EditorState): Hunk | undefined {
  const { head } = state.selection.main;
  return hunksOf(state).find(({ from, to }) => head >= from && head <= to);
}

/** From 1. */
export const lineOfCursor = (view: EditorView | undefined): number =>
  view?.state.doc.lineAt(view.state.selection.main.head).number ?? 1;

/** The line of the original, from 1, in whose place the cursor is. */
export function originalLineOfCursor(view: EditorView): number {
  const { head } = view.state.selection.main;
  const above = getChunks(view.state)?.chunks.findLast(({ fromB }) => fromB <= head);
  const at = !above ? head : head < above.toB ? above.fromA : head + above.toA - above.toB;
  const original = originalOf(view);
  return original.lineAt(Math.min(at, original.length)).number;
}

/** The next or previous hunk, from the cursor on. */
export function nextHunk(state: EditorState, direction: 1 | -1): Hunk | undefined {
  const { head } = state.selection.main;
  const hunks = hunksOf(state);
  if (direction > 0) return hunks.find(({ from }) => from > head);
  return hunks.findLast(({ to, from }) => Math.max(from, to) < head);
}

/** Moves the cursor to the next or previous hunk. After the last comes the first. */
export function goToHunk(view: EditorView, direction: 1 | -1): Hunk | undefined {
  const next = nextHunk(view.state, direction) ?? hunksOf(view.state).at(direction > 0 ? 0 : -1);
  if (next) showPosition(view, next.from);
  return next;
}

/** Moves the cursor there and scrolls it to the middle. */
export function showPosition(view: EditorView, at: number): void {
  const anchor = Math.min(at, view.state.doc.length);
  view.dispatch({
    selection: { anchor },
    effects: EditorView.scrollIntoView(anchor, { y: "center" }),
    userEvent: "select.hunk",
  });
}

/** Scrolls the cursor to the middle. */
export function showCursor(view: EditorView): void {
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head, { y: "center" }) });
}

/** Replaces the hunk with the lines on disk. It bypasses the guard of line endings, because these lines are exact. */
export function revertHunk(view: EditorView, { chunk }: Hunk): void {
  if (view.state.readOnly) return;
  view.dispatch({
    changes: takingBack(chunk, originalOf(view), view.state.doc),
    selection: { anchor: chunk.fromB },
    userEvent: "revert",
    filter: false,
  });
}

/** The draft with the lines on disk in the place of a hunk. */
export function withoutHunk(view: EditorView, { chunk }: Hunk): string {
  const { from, to, insert } = takingBack(chunk, originalOf(view), view.state.doc);
  return view.state.doc.replace(from, to, insert).toString();
}

/** The change that reverts a chunk of the draft to the original. */
export function takingBack({ fromA, toA, fromB, toB }: Chunk, original: Text, draft: Text) {
  const insert = original.slice(fromA, Math.min(original.length, toA));
  return { from: fromB, to: Math.min(draft.length, toB), insert };
}

/** The text that a draft is compared with. */
export function originalOf(view: EditorView): Text {
  return mergeViewSiblings(view)?.a.state.doc ?? getOriginalDoc(view.state);
}

/** Both sides of a diff, or one text. */
export const viewsOf = (view: EditorView): readonly EditorView[] =>
  Object.values(mergeViewSiblings(view) ?? { b: view });
