import { type Change, MergeView, originalDocChangeEffect, unifiedMergeView } from "@codemirror/merge";
import {
  ChangeSet,
  type EditorStateConfig,
  type Extension,
  type Text,
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
import { type DiffSnapshot, takeOver, toSnapshot } from "./diff-snapshot.ts";
import { folds } from "./folds.tsx";
import { type HunkBarOptions, hunkBars } from "./hunk-bars.tsx";
import { originalOf, setViewed } from "./hunks.ts";
import { diffInDetail, diffLines } from "./line-diff.ts";
import { ruler } from "./ruler.ts";
import { createSyntax } from "./syntax.ts";
import { changesBetween } from "./text-changes.ts";

export type DiffLayout = "side-by-side" | "unified";

export interface DiffEditorOptions {
  readonly parent: HTMLElement;
  readonly layout: DiffLayout;
  readonly fileName: string;
  /** The two texts, and their differences. */
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
  const { comparison, scale, layout } = options;
  const syntax = createSyntax(isPlain(scale) ? "" : options.fileName);
  let known = comparison.changes;
  /** The first comparison of large texts is known already. */
  const compare: Compare = (before, after) => {
    const changes = known ?? (isPlain(scale) ? diffLines(before, after) : diffInDetail(before, after));
    known = undefined;
    return changes;
  };
  const arrange = layout === "unified" ? createUnified : createSideBySide;
  const { view, left, destroy } = arrange(options, compare, syntax.extension);
  const views = left ? [left, view] : [view];
  void syntax.load(views);
  view.setTabFocusMode(true);
  /** @returns undefined where nothing changes */
  const changesTo = (before: Text, text: string) => {
    const changes = changesBetween(before.toString(), text);
    return changes.length > 0 ? changes : undefined;
  };
  const replace = (text: string, spec: TransactionSpec) => {
    const changes = changesTo(view.state.doc, text);
    if (changes) view.dispatch({ changes, filter: false, ...spec });
  };
  return {
    /** The editor of the draft. */
    view,
    /** That of the original, where it has one. */
    left,
    /** One editor, or one for each side. */
    views,
    destroy,
    /** The draft, exactly. */
    text: () => view.state.doc.toString(),
    setOriginal: (text: string) => {
      const original = originalOf(view);
      const changes = changesTo(original, text);
      if (!changes) return;
      const change = ChangeSet.of([...changes], original.length, "\n");
      if (left) left.dispatch({ changes, filter: false });
      else view.dispatch({ effects: originalDocChangeEffect(view.state, change) });
    },
    /** Replaces the draft without an undo step. */
    setDraft: (text: string) => replace(text, { annotations: remote }),
    /** Replaces the draft as an edit of the user. */
    rewrite: (text: string) => replace(text, { userEvent: "input.rewrite" }),
    /** Gives the text the focus. Tab indents in it from now on. */
    enter: () => {
      view.setTabFocusMode(false);
      view.focus();
    },
    snapshot: () => toSnapshot(view),
  };
}

type Compare = (before: string, after: string) => readonly Change[];

interface Arranged {
  readonly view: EditorView;
  readonly left?: EditorView;
  destroy(): void;
}

function createSideBySide(options: DiffEditorOptions, compare: Compare, syntax: Extension): Arranged {
  const { parent, comparison } = options;
  const merge = new MergeView({
    parent,
    a: { doc: comparison.original, extensions: [textExtensions("original", options), readOnly(), syntax] },
    b: draftState(options, syntax),
    ...mergingOf(options, compare),
  });
  scrollTogether(merge.a.scrollDOM, merge.b.scrollDOM);
  return { view: merge.b, left: merge.a, destroy: () => merge.destroy() };
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

function createUnified(options: DiffEditorOptions, compare: Compare, syntax: Extension): Arranged {
  const unified = unifiedMergeView({
    ...{ original: options.comparison.original, mergeControls: false },
    syntaxHighlightDeletions: !isPlain(options.scale),
    ...mergingOf(options, compare),
  });
  const extensions = [syntax, unified, deletedLines];
  const view = new EditorView({ parent: options.parent, ...draftState(options, extensions) });
  return { view, destroy: () => view.destroy() };
}

const mergingOf = ({ scale }: DiffEditorOptions, compare: Compare) =>
  ({ highlightChanges: !isPlain(scale), gutter: false, diffConfig: { override: compare } }) as const;

function draftState(options: DiffEditorOptions, extensions: Extension): EditorStateConfig {
  const { comparison, canEdit, snapshot } = options;
  const text = comparison.draft.toString();
  const { selection, history } = takeOver(snapshot, text);
  const listener = EditorView.updateListener.of(({ docChanged, transactions }) => {
    const isRemote = transactions.some((one) => one.annotation(Transaction.remote));
    const isMark = transactions.some(({ effects }) => effects.some((one) => one.is(setViewed)));
    options.onUpdate({ docChanged, isEdit: docChanged && !isRemote, isMark: isMark && !isRemote });
  });
  return {
    doc: comparison.draft,
    selection,
    extensions: [
      textExtensions("draft", options),
      canEdit ? [writing(text), history] : readOnly(),
      options.hasBars ? ruler(options.rulerIn ?? options.parent) : [],
      listener,
      extensions,
    ],
  };
}

/** What both texts have. The unified view has the draft alone, with what was removed from the original. */
function textExtensions(side: "original" | "draft", options: DiffEditorOptions): Extension {
  const { comparison, scale, layout, comments, catalog, revert, decide, onLeave } = options;
  const isSideBySide = layout === "side-by-side";
  const commented = side === "draft" ? "proposed" : "original";
  return [
    commonExtensions({
      text: comparison[side].toString(),
      label: options.labels[side],
      hasOldNumbers: !isSideBySide && comparison.original.length > 0,
      ...(comments && { onLine: comments.onLine(commented), onRemovedLine: comments.onLine("original") }),
      catalog,
    }),
    wrapping(options.wrap, scale),
    comments?.extension(commented) ?? [],
    isSideBySide ? [] : (comments?.extension("original") ?? []),
    changeGutter(side),
    wholeLines,
    isPlain(scale) ? [] : changedBlanks,
    options.collapse ? folds : [],
    options.hasBars ? hunkBars({ side, isSideBySide, revert, decide, onLeave }) : [],
  ];
}
