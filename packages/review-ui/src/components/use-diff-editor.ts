import { getChunks } from "@codemirror/merge";
import { effect, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type FaintDifference, findFaintDifference } from "../../../companion/src/files/comparable-text.ts";
import {
  type Comparison,
  compareApart,
  compareNow,
  hideBlanks,
  isCompareSlow,
} from "../editor/comparison.ts";
import { createDiffComments, type DiffComments } from "../editor/diff-comments.ts";
import { createDiffEditor, type DiffEditor, type DiffLayout } from "../editor/diff-editor.ts";
import type { DiffSnapshot } from "../editor/diff-snapshot.ts";
import {
  hunksOf,
  isAllViewed,
  originalOf,
  revertHunk,
  showCursor,
  showPosition,
  showViewed,
  viewedKeys,
} from "../editor/hunks.ts";
import { showPlace } from "../editor/place.ts";
import type { Translate } from "../language/language.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import { tabId } from "../model/tabs.ts";
import { isWriting } from "../model/user-focus.ts";
import { useReview } from "../review-context.ts";
import { compareForm, type TextBadge } from "../text/text-facts.ts";
import { measureText, type TextScale } from "../text/text-scale.ts";

/** Facts about a diff for the components around it. */
export interface DiffFigures {
  readonly hunks: number;
  readonly viewed: number;
  /** No line of the original is left. */
  readonly isWholeFile: boolean;
  readonly isEmpty: boolean;
  readonly faint: FaintDifference | undefined;
  readonly badges: readonly TextBadge[];
  readonly scale: TextScale;
  /** Some lines differ in white space alone, which is not shown. */
  readonly hidesBlanks: boolean;
}

export interface DiffEditorUse {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly review: ProposalReview;
  /** Without folders. Determines the language. */
  readonly fileName: string;
  /** The text that the draft is compared with. */
  readonly before: string;
  readonly layout: DiffLayout;
  readonly collapse: boolean;
  readonly canRevert: boolean;
  /** What had the focus in the diff is gone: something else has to get it. */
  readonly onLeave: () => void;
}

/** Milliseconds between an edit and the update of the figures. */
const pause = { usual: 60, large: 1000 };

/** What opens an editor, which takes over the selection, the undo history and the focus of the one before. */
function useOpening(use: DiffEditorUse) {
  const { review, fileName, before, layout, collapse, canRevert, onLeave } = use;
  const { t, catalog, keyGuard, places, preferences } = useReview();
  const tab = tabId({ kind: "proposal", subject: review.id });
  const editor = useRef<DiffEditor | null>(null);
  const comments = useMemo(() => createDiffComments(review.comments, onLeave), [review]);
  const figures = useSignal<DiffFigures | undefined>(undefined);
  const snapshot = useRef<DiffSnapshot | undefined>(undefined);
  const shownBefore = useRef(before);
  const shownLayout = useSignal(layout);

  const open = (parent: HTMLElement, comparison: Comparison, scale: TextScale) => {
    const earlier = snapshot.current;
    const isFocusFree = document.activeElement === document.body;
    let timer: number | undefined;
    let isCounted = false;
    /** The user has marked hunks, or edited marked ones. */
    let hasMarked = false;
    const isReadOnly = review.isReadOnly.peek();
    const noteMarks = () => {
      if (hasMarked) review.view(viewedKeys(own.view));
      hasMarked = false;
    };
    const count = () => {
      isCounted = true;
      noteMarks();
      if (preferences.hidesBlanks.peek()) own.setOriginal(hideBlanks(shownBefore.current, own.text()));
      figures.value = toFigures(own, shownBefore.current, scale, t);
    };
    const countSoon = (milliseconds: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(count, milliseconds);
    };
    shownLayout.value = toLayout(layout, comparison, scale);
    const own = createDiffEditor({
      ...{ parent, fileName, comparison, scale, collapse, comments, onLeave, catalog },
      labels: labelsOf(fileName, isReadOnly, t),
      layout: shownLayout.value,
      wrap: preferences.wrap.peek(),
      canEdit: !isReadOnly,
      revert: canRevert && !isReadOnly ? revertHunk : undefined,
      hasBars: true,
      snapshot: earlier,
      onUpdate: ({ isEdit, docChanged, isMark }) => {
        if (isEdit) review.edited();
        hasMarked ||= isMark || (isEdit && review.viewed.peek().length > 0);
        if (docChanged) comments.moved(own.view, isEdit);
        // What comes before the first count does not put it off.
        if (isCounted) countSoon(scale.isLarge ? pause.large : pause.usual);
      },
    });
    editor.current = own;
    // Another page may have changed the draft meanwhile.
    const latest = review.text() ?? "";
    if (latest !== comparison.draft.toString()) own.setDraft(latest);
    const detach = followReview(own, review, comments);
    const place = places.of(tab);
    const [first] = hunksOf(own.view.state);
    if (earlier) showCursor(own.view);
    else if (place) showPlace(own.view, place);
    else if (first) showPosition(own.view, first.from);
    const stopWatching = places.watch(tab, own.view, parent);
    if (earlier?.hasFocus && isFocusFree) own.enter();
    if (scale.isLarge) countSoon(0);
    else count();
    return () => {
      clearTimeout(timer);
      noteMarks();
      snapshot.current = own.snapshot();
      if (parent.contains(document.activeElement) && isWriting()) keyGuard.start();
      detach();
      stopWatching();
      own.destroy();
      editor.current = null;
    };
  };
  return { open, editor, comments, figures, shownBefore, shownLayout };
}

const labelsOf = (fileName: string, isReadOnly: boolean, t: Translate) => ({
  original: t("$1 as it is on disk", fileName),
  draft: t(isReadOnly ? "$1 as proposed" : "$1 as proposed, editable", fileName),
});

/** Keeps the review's comments and marks in an editor. @returns what ends it */
function followReview(editor: DiffEditor, review: ProposalReview, comments: DiffComments): () => void {
  const ends = [
    review.attach(editor),
    effect(() => {
      review.comments.list.value;
      comments.show(editor.view, editor.left, review.comments.open.value);
    }),
    effect(() => {
      review.drafts.value; // what another page has written may have such hunks
      showViewed(editor.view, review.viewed.value);
      review.noteViewed(isAllViewed(editor.view));
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Shows a diff editor in the host, and a new one when its layout changes. */
export function useDiffEditor(use: DiffEditorUse) {
  const { host, review, before, layout, collapse, canRevert } = use;
  const { preferences } = useReview();
  const [wrap, codeSize] = [preferences.wrap.value, preferences.codeSize.value];
  const hidesBlanks = preferences.hidesBlanks.value;
  const { open, editor, comments, figures, shownBefore, shownLayout } = useOpening(use);
  const isComparing = useSignal(false);
  const toOriginal = (text: string, draft: string) => (hidesBlanks ? hideBlanks(text, draft) : text);
  /** The last slow one, which another layout of the same texts can use. */
  const compared = useRef<Comparison | undefined>(undefined);
  const isReadOnly = review.isReadOnly.value;
  // Edits alone never replace the editor in which the user types.
  const slowBefore = useMemo(() => isCompareSlow(before, review.text() ?? "") && before, [review, before]);
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    shownBefore.current = before;
    const draft = review.text() ?? "";
    const original = toOriginal(before, draft);
    const scale = measureText(before, draft);
    if (!isCompareSlow(before, draft)) return open(parent, compareNow(original, draft), scale);
    const known = compared.current;
    if (known?.original.toString() === original && known.draft.toString() === draft)
      return open(parent, known, scale);
    const abort = new AbortController();
    let close: (() => void) | undefined;
    isComparing.value = true;
    void compareApart(original, draft, scale, abort.signal).then((comparison) => {
      if (abort.signal.aborted) return;
      isComparing.value = false;
      compared.current = comparison;
      close = open(parent, comparison, scale);
    });
    return () => {
      abort.abort();
      isComparing.value = false;
      close?.();
    };
    // A large text that has changed on disk is compared apart, too.
  }, [review, layout, wrap, codeSize, hidesBlanks, collapse, canRevert, isReadOnly, slowBefore]);
  useEffect(() => {
    if (shownBefore.current === before) return;
    shownBefore.current = before;
    editor.current?.setOriginal(toOriginal(before, editor.current.text()));
  }, [before]);
  return {
    editor,
    comments,
    figures,
    /** Large texts are being compared; there is no editor yet. */
    isComparing,
    /** Another one than requested when that would be too slow. */
    layout: shownLayout,
  };
}

/** With more changes than this, aligning the two sides of a large text takes too long with every key. */
const maxAligned = 300;

function toLayout(wanted: DiffLayout, { changes }: Comparison, { isLarge }: TextScale): DiffLayout {
  return isLarge && (changes?.length ?? 0) > maxAligned ? "unified" : wanted;
}

export function toFigures({ view }: DiffEditor, before: string, scale: TextScale, t: Translate): DiffFigures {
  const { state } = view;
  const hunks = hunksOf(state);
  const text = state.doc.toString();
  const [chunk, ...others] = getChunks(state)?.chunks ?? [];
  const original = originalOf(view);
  const coversAll = chunk && others.length === 0 && chunk.fromA === 0 && chunk.toA >= original.length;
  const badges = compareForm(before, text, t);
  const faint = before === "" || scale.isLarge ? undefined : findFaintDifference(before, text);
  const changed = chunk?.changes.reduce((sum, { fromA, toA }) => sum + toA - fromA, 0) ?? 0;
  return {
    hunks: hunks.length,
    viewed: hunks.filter(({ isViewed }) => isViewed).length,
    // One word that changes in a file of one line leaves most of it.
    isWholeFile: Boolean(
      !faint && coversAll && chunk.fromB === 0 && chunk.toB >= text.length && changed > before.length / 2,
    ),
    isEmpty: text === "",
    faint,
    badges,
    scale,
    hidesBlanks: original.toString() !== before,
  };
}
