import { getChunks } from "@codemirror/merge";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { createDiffEditor, type DiffEditor, type DiffLayout } from "../editor/diff-editor.ts";
import { hunksOf, keptPlaces, showPlace } from "../editor/hunks.ts";
import type { ProposalReview } from "../model/proposal-review.ts";
import { compareForm, type TextBadge } from "../text/text-facts.ts";
import { measureText, type TextScale } from "../text/text-scale.ts";

/** What is said of a diff around it. */
export interface DiffFigures {
  readonly hunks: number;
  readonly kept: number;
  /** No line of the original is left. */
  readonly isWholeFile: boolean;
  readonly isEmpty: boolean;
  readonly badges: readonly TextBadge[];
  readonly scale: TextScale;
}

export interface DiffEditorUse {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly review: ProposalReview;
  /** Without folders; tells the language. */
  readonly fileName: string;
  /** The text that the draft is compared with. */
  readonly before: string;
  readonly layout: DiffLayout;
  readonly wrap: boolean;
  readonly collapse: boolean;
  readonly canTakeBack: boolean;
}

export interface ShownDiff {
  readonly editor: RefObject<DiffEditor | null>;
  readonly figures: ReadonlySignal<DiffFigures>;
}

const none: DiffFigures = {
  hunks: 0,
  kept: 0,
  isWholeFile: false,
  isEmpty: false,
  badges: [],
  scale: { isLarge: false, hasLongLine: false },
};

/** Milliseconds after which the figures follow the text; longer for a text that takes long to look through. */
const pause = { usual: 60, large: 1000 };

/** Puts a diff editor into the host, and a new one when its arrangement changes. */
export function useDiffEditor(use: DiffEditorUse): ShownDiff {
  const { host, review, fileName, before, layout, wrap, collapse, canTakeBack } = use;
  const editor = useRef<DiffEditor | null>(null);
  const figures = useSignal(none);
  const kept = useRef<readonly number[]>([]);
  const cursor = useRef<number | undefined>(undefined);
  const shownBefore = useRef(before);
  useEffect(() => {
    if (!host.current) return;
    const draft = review.text() ?? "";
    const scale = measureText(before, draft);
    let timer: number | undefined;
    const count = () => {
      figures.value = toFigures(own, shownBefore.current, scale);
    };
    shownBefore.current = before;
    const own = createDiffEditor({
      parent: host.current,
      layout,
      fileName,
      original: before,
      draft,
      scale,
      wrap,
      collapse,
      canEdit: true,
      canTakeBack,
      kept: kept.current,
      onUpdate: ({ isEdit }) => {
        if (isEdit) review.edited();
        clearTimeout(timer);
        timer = window.setTimeout(count, scale.isLarge ? pause.large : pause.usual);
      },
    });
    editor.current = own;
    const detach = review.attach(own);
    count();
    const [first] = hunksOf(own.view.state);
    if (cursor.current !== undefined) showPlace(own.view, cursor.current);
    else if (first) showPlace(own.view, first.from);
    return () => {
      clearTimeout(timer);
      kept.current = own.view.state.field(keptPlaces, false) ?? [];
      cursor.current = own.view.state.selection.main.head;
      detach();
      own.destroy();
      editor.current = null;
    };
  }, [review, layout, wrap, collapse, canTakeBack]);
  useEffect(() => {
    if (shownBefore.current === before) return;
    shownBefore.current = before;
    editor.current?.setOriginal(before);
  }, [before]);
  return { editor, figures };
}

function toFigures({ view }: DiffEditor, before: string, scale: TextScale): DiffFigures {
  const { state } = view;
  const hunks = hunksOf(state);
  const text = state.doc.toString();
  const [chunk, ...others] = getChunks(state)?.chunks ?? [];
  const coversAll = chunk && others.length === 0 && chunk.fromA === 0 && chunk.toA >= before.length;
  const badges = compareForm(before, text);
  // Other line endings change every line, and have a badge of their own.
  const hasOtherEndings = badges.some(({ kind, label }) => kind === "endings" && label.includes("→"));
  return {
    hunks: hunks.length,
    kept: hunks.filter(({ isKept }) => isKept).length,
    isWholeFile: Boolean(
      !hasOtherEndings && coversAll && chunk.fromB === 0 && chunk.toB >= text.length && before.length > 0,
    ),
    isEmpty: text === "",
    badges,
    scale,
  };
}
