import { MergeView, originalDocChangeEffect, unifiedMergeView } from "@codemirror/merge";
import { ChangeSet, EditorState, type Extension, Transaction } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { minimalChange } from "../text/minimal-change.ts";
import type { TextScale } from "../text/text-scale.ts";
import { commonExtensions } from "./common-extensions.ts";
import { hunkBars } from "./hunk-bars.ts";
import { setKept } from "./hunks.ts";
import { createLargeDiff, diffInDetail } from "./line-diff.ts";
import { readOnly } from "./read-only.ts";
import { createSyntax } from "./syntax.ts";
import { wholeLines } from "./whole-lines.ts";
import { writing } from "./writing.ts";

export type DiffLayout = "side-by-side" | "unified";

export interface DiffEditorOptions {
  readonly parent: HTMLElement;
  readonly layout: DiffLayout;
  readonly fileName: string;
  readonly original: string;
  readonly draft: string;
  readonly scale: TextScale;
  readonly wrap: boolean;
  /** Unchanged parts are folded away. */
  readonly collapse: boolean;
  /** Without it nothing can be changed. */
  readonly canEdit: boolean;
  readonly canTakeBack: boolean;
  /** Places of hunks that were kept in a former editor of the same texts. */
  readonly kept: readonly number[];
  /** Anything about the draft's editor has changed. `isEdit`: its text has, by the user. */
  readonly onUpdate: (update: { readonly isEdit: boolean; readonly docChanged: boolean }) => void;
}

/** Two texts compared; the second can be edited. */
export interface DiffEditor {
  /** The editor of the draft. */
  readonly view: EditorView;
  /** Both, or the only one. */
  readonly views: readonly EditorView[];
  /** The draft, exactly. */
  text(): string;
  /** Replaces the draft, not as the user's doing. */
  setDraft(text: string): void;
  /** Replaces the draft at the user's wish. */
  rewrite(text: string): void;
  setOriginal(text: string): void;
  destroy(): void;
}

/** Not the user's doing: comes from another page, and is not the user's to undo. */
const remote = [Transaction.remote.of(true), Transaction.addToHistory.of(false)];

export function createDiffEditor(options: DiffEditorOptions): DiffEditor {
  const syntax = createSyntax(isPlain(options.scale) ? "" : options.fileName);
  const editor =
    options.layout === "unified"
      ? createUnified(options, syntax.extension)
      : createSideBySide(options, syntax.extension);
  void syntax.load(editor.views);
  const effects = options.kept.map((at) => setKept.of({ at, kept: true }));
  if (effects.length > 0) editor.view.dispatch({ effects });
  return {
    ...editor,
    text: () => editor.view.state.doc.toString(),
    setDraft: (text) => {
      const changes = minimalChange(editor.view.state.doc.toString(), text);
      if (changes) editor.view.dispatch({ changes, filter: false, annotations: remote });
    },
    rewrite: (text) => {
      const changes = minimalChange(editor.view.state.doc.toString(), text);
      if (changes) editor.view.dispatch({ changes, filter: false, userEvent: "input.rewrite" });
    },
  };
}

type Arranged = Pick<DiffEditor, "view" | "views" | "setOriginal" | "destroy">;

function createSideBySide(options: DiffEditorOptions, syntax: Extension): Arranged {
  const { parent, original, draft, scale, wrap, collapse } = options;
  const merge = new MergeView({
    parent,
    a: {
      doc: original,
      extensions: [
        commonExtensions({ text: original, label: `${options.fileName} as it is on disk`, scale, wrap }),
        syntax,
        readOnly(),
        wholeLines,
        hunkBars({ side: "original", canTakeBack: false }),
      ],
    },
    b: { doc: draft, extensions: [draftExtensions(options), syntax] },
    highlightChanges: !isPlain(scale),
    diffConfig: diffConfig(scale),
    ...(collapse ? { collapseUnchanged: {} } : {}),
  });
  return {
    view: merge.b,
    views: [merge.a, merge.b],
    setOriginal: (text) => {
      const changes = minimalChange(merge.a.state.doc.toString(), text);
      if (changes) merge.a.dispatch({ changes, filter: false });
    },
    destroy: () => merge.destroy(),
  };
}

function createUnified(options: DiffEditorOptions, syntax: Extension): Arranged {
  const { parent, original, draft, scale, collapse } = options;
  const separated = EditorState.create({ doc: original, extensions: EditorState.lineSeparator.of("\n") });
  const view = new EditorView({
    parent,
    doc: draft,
    extensions: [
      draftExtensions(options),
      syntax,
      unifiedMergeView({
        original: separated.doc,
        mergeControls: false,
        highlightChanges: !isPlain(scale),
        syntaxHighlightDeletions: !isPlain(scale),
        diffConfig: diffConfig(scale),
        ...(collapse ? { collapseUnchanged: {} } : {}),
      }),
    ],
  });
  let current = original;
  return {
    view,
    views: [view],
    setOriginal: (text) => {
      const change = minimalChange(current, text);
      if (!change) return;
      view.dispatch({
        effects: originalDocChangeEffect(view.state, ChangeSet.of(change, current.length, "\n")),
      });
      current = text;
    },
    destroy: () => view.destroy(),
  };
}

function draftExtensions(options: DiffEditorOptions): Extension {
  const { draft, fileName, scale, wrap, canEdit, canTakeBack, onUpdate } = options;
  return [
    commonExtensions({
      text: draft,
      label: `${fileName} as proposed${canEdit ? ", editable" : ""}`,
      scale,
      wrap,
    }),
    wholeLines,
    canEdit ? [writing(draft), hunkBars({ side: "draft", canTakeBack })] : readOnly(),
    EditorView.updateListener.of(({ docChanged, transactions }) => {
      const isRemote = transactions.some((one) => one.annotation(Transaction.remote));
      onUpdate({ docChanged, isEdit: docChanged && !isRemote });
    }),
  ];
}

function isPlain({ isLarge, hasLongLine }: TextScale): boolean {
  return isLarge || hasLongLine;
}

function diffConfig(scale: TextScale) {
  return { override: isPlain(scale) ? createLargeDiff() : diffInDetail };
}
