import { MergeView, originalDocChangeEffect, unifiedMergeView } from "@codemirror/merge";
import {
  ChangeSet,
  type EditorStateConfig,
  type Extension,
  Transaction,
  type TransactionSpec,
} from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Wording } from "../language/language.ts";
import { isPlain, type TextScale } from "../text/text-scale.ts";
import { changeGutter } from "./change-gutter.ts";
import { changedBlanks, wholeLines } from "./changed-text.ts";
import { commonExtensions, readOnly, wrapping, writing } from "./common-extensions.ts";
import type { Comparison } from "./comparison.ts";
import { deletedLines } from "./deleted-lines.ts";
import type { DiffComments } from "./diff-comments.ts";
import { type DiffSnapshot, takeOverHistory, toSnapshot } from "./diff-snapshot.ts";
import { folds } from "./folds.tsx";
import { type HunkBarOptions, hunkBars } from "./hunk-bars.tsx";
import { setViewed } from "./hunks.ts";
import { createTextDiff, type TextDiff } from "./line-diff.ts";
import { ruler } from "./ruler.ts";
import { createSyntax } from "./syntax.ts";
import { changesBetween, type TextChange } from "./text-changes.ts";

export type DiffLayout = "side-by-side" | "unified";

export interface DiffEditorOptions {
  readonly parent: HTMLElement;
  readonly layout: DiffLayout;
  readonly fileName: string;
  readonly original: string;
  readonly draft: string;
  /** The comparison of the original and the draft. */
  readonly comparison: Comparison;
  readonly scale: TextScale;
  readonly wrap: boolean;
  /** Unchanged parts are folded away. */
  readonly collapse: boolean;
  /** Without it the draft is read-only. */
  readonly canEdit: boolean;
  /** Each hunk has a bar with its number, Viewed, and Revert where that can be. */
  readonly hasBars: boolean;
  readonly revert?: HunkBarOptions["revert"];
  /** Its bars have Keep and Revert instead. */
  readonly decide?: HunkBarOptions["decide"];
  /** The element for its ruler, where it scrolls together with others. */
  readonly rulerIn?: HTMLElement | undefined;
  /** What the texts are called for screen readers. */
  readonly labels: { readonly original: string; readonly draft: string };
  /** Called when a button that had the focus is gone. */
  readonly onLeave?: () => void;
  /** Of an earlier editor of this draft, which this one replaces. */
  readonly snapshot?: DiffSnapshot | undefined;
  /** Shows what divides the two sides in the element that holds them. @returns a function that takes it away */
  readonly divide: (sides: HTMLElement) => () => void;
  /** What the user writes about lines of the texts. */
  readonly comments?: DiffComments;
  readonly catalog: Wording["catalog"];
  /** Called after every update of the draft's editor. */
  readonly onUpdate: (update: DiffUpdate) => void;
}

export interface DiffUpdate {
  readonly docChanged: boolean;
  /** The user has changed the text. */
  readonly isEdit: boolean;
  /** The user has marked a hunk as viewed, or not. */
  readonly isMark: boolean;
}

/** A change from another page, which the user cannot undo. */
const remote = [Transaction.remote.of(true), Transaction.addToHistory.of(false)];

export type DiffEditor = ReturnType<typeof createDiffEditor>;

/** A diff of two texts. The second one can be edited. */
export function createDiffEditor(options: DiffEditorOptions) {
  const syntax = createSyntax(isPlain(options.scale) ? "" : options.fileName);
  const diff = createTextDiff({ isPlain: isPlain(options.scale), known: options.comparison.changes });
  const editor =
    options.layout === "unified"
      ? createUnified(options, diff, syntax.extension)
      : createSideBySide(options, diff, syntax.extension);
  void syntax.load(editor.views);
  editor.view.setTabFocusMode(true);
  const replace = (text: string, spec: TransactionSpec) => {
    const changes = changesBetween(editor.view.state.doc.toString(), text);
    if (changes.length === 0) return;
    if (isLarge(changes)) diff.compareFully();
    editor.view.dispatch({ changes, filter: false, ...spec });
  };
  return {
    ...editor,
    /** The draft, exactly. */
    text: () => editor.view.state.doc.toString(),
    /** Replaces the draft without an undo step. */
    setDraft: (text: string) => replace(text, { annotations: remote }),
    /** Replaces the draft as an edit of the user. */
    rewrite: (text: string) => replace(text, { userEvent: "input.rewrite" }),
    /** Gives the text the focus. Tab indents in it from now on. */
    enter: () => {
      editor.view.setTabFocusMode(false);
      editor.view.focus();
    },
    snapshot: () => toSnapshot(editor.view),
  };
}

/** Longer changes are not typed, so the texts are compared as a whole. */
function isLarge(changes: readonly TextChange[]): boolean {
  const span = (changes.at(-1)?.to ?? 0) - (changes[0]?.from ?? 0);
  return span + changes.reduce((sum, { insert }) => sum + insert.length, 0) > 100_000;
}

interface Arranged {
  /** The editor of the draft. */
  readonly view: EditorView;
  /** One editor, or one for each side. */
  readonly views: readonly EditorView[];
  setOriginal(text: string): void;
  destroy(): void;
}

function createSideBySide(options: DiffEditorOptions, diff: TextDiff, syntax: Extension): Arranged {
  const { parent, original, comparison, scale, wrap, collapse, comments, catalog } = options;
  const merge = new MergeView({
    parent,
    a: {
      doc: comparison.original,
      extensions: [
        commonExtensions({
          text: original,
          label: options.labels.original,
          ...(comments && { onLine: comments.onLine("original") }),
          catalog,
        }),
        wrapping(wrap, scale),
        comments?.extension("original") ?? [],
        syntax,
        readOnly(),
        changeGutter("original"),
        wholeLines,
        isPlain(scale) ? [] : changedBlanks,
        collapse ? folds : [],
        options.hasBars ? hunkBars({ side: "original", isSideBySide: true }) : [],
      ],
    },
    b: { ...draftState(options), extensions: [draftExtensions(options), syntax] },
    highlightChanges: !isPlain(scale),
    gutter: false,
    diffConfig: { override: diff.compare },
  });
  scrollTogether(merge.a.scrollDOM, merge.b.scrollDOM);
  const sides = merge.dom.querySelector<HTMLElement>(".cm-mergeViewEditors");
  const removeDivider = sides ? options.divide(sides) : undefined;
  return {
    view: merge.b,
    views: [merge.a, merge.b],
    setOriginal: (text) => {
      const changes = changesBetween(merge.a.state.doc.toString(), text);
      if (changes.length === 0) return;
      if (isLarge(changes)) diff.compareFully();
      merge.a.dispatch({ changes, filter: false });
    },
    destroy: () => {
      removeDivider?.();
      merge.destroy();
    },
  };
}

/** Scrolls both sides horizontally together. Vertically they are one. */
function scrollTogether(one: HTMLElement, other: HTMLElement): void {
  // The side that follows must not scroll the other one back when its text is narrower.
  const followed = new Map<HTMLElement, number>();
  const follow = (from: HTMLElement, to: HTMLElement) => {
    if (followed.get(from) === from.scrollLeft) return;
    followed.delete(from);
    to.scrollLeft = from.scrollLeft;
    followed.set(to, to.scrollLeft);
  };
  one.addEventListener("scroll", () => follow(one, other), { passive: true });
  other.addEventListener("scroll", () => follow(other, one), { passive: true });
}

function createUnified(options: DiffEditorOptions, diff: TextDiff, syntax: Extension): Arranged {
  const { parent, original, comparison, scale } = options;
  const view = new EditorView({
    parent,
    ...draftState(options),
    extensions: [
      draftExtensions(options),
      syntax,
      unifiedMergeView({
        original: comparison.original,
        mergeControls: false,
        gutter: false,
        highlightChanges: !isPlain(scale),
        syntaxHighlightDeletions: !isPlain(scale),
        diffConfig: { override: diff.compare },
      }),
      deletedLines,
    ],
  });
  let current = original;
  return {
    view,
    views: [view],
    setOriginal: (text) => {
      const changes = changesBetween(current, text);
      if (changes.length === 0) return;
      if (isLarge(changes)) diff.compareFully();
      view.dispatch({
        effects: originalDocChangeEffect(view.state, ChangeSet.of([...changes], current.length, "\n")),
      });
      current = text;
    },
    destroy: () => view.destroy(),
  };
}

function draftState({ comparison, snapshot, draft }: DiffEditorOptions): EditorStateConfig {
  if (!snapshot) return { doc: comparison.draft };
  const { main } = snapshot.selection;
  // Another page may have changed the draft meanwhile.
  const near = { anchor: Math.min(main.head, draft.length) };
  return { doc: comparison.draft, selection: snapshot.draft === draft ? snapshot.selection : near };
}

function draftExtensions(options: DiffEditorOptions): Extension {
  const { draft, scale, wrap, collapse, layout, canEdit, revert, decide, comments, catalog } = options;
  const isSideBySide = layout === "side-by-side";
  return [
    commonExtensions({
      text: draft,
      label: options.labels.draft,
      hasOldNumbers: !isSideBySide && options.original !== "",
      ...(comments && { onLine: comments.onLine("proposed"), onRemovedLine: comments.onLine("original") }),
      catalog,
    }),
    wrapping(wrap, scale),
    comments?.extension("proposed") ?? [],
    isSideBySide ? [] : (comments?.extension("original") ?? []),
    changeGutter("draft"),
    wholeLines,
    isPlain(scale) ? [] : changedBlanks,
    collapse ? folds : [],
    canEdit ? [writing(draft), takeOverHistory(options.snapshot, draft)] : readOnly(),
    options.hasBars ? ruler(options.rulerIn ?? options.parent) : [],
    options.hasBars
      ? hunkBars({ side: "draft", isSideBySide, revert, decide, onLeave: options.onLeave })
      : [],
    EditorView.updateListener.of(({ docChanged, transactions }) => {
      const isRemote = transactions.some((one) => one.annotation(Transaction.remote));
      const isMark = transactions.some(({ effects }) => effects.some((one) => one.is(setViewed)));
      options.onUpdate({ docChanged, isEdit: docChanged && !isRemote, isMark: isMark && !isRemote });
    }),
  ];
}
