import { Compartment, type EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { EditorView, type GutterMarker, gutterLineClass, highlightActiveLine } from "@codemirror/view";
import type { LineChange } from "../../../companion/src/files/line-diff.ts";
import type { Translate, Wording } from "../language/language.ts";
import { isPlain, measureText } from "../text/text-scale.ts";
import { GutterClass } from "./change-gutter.ts";
import { commonExtensions, readOnly, wrapping } from "./common-extensions.ts";
import { createSyntax } from "./syntax.ts";
import { changesBetween } from "./text-changes.ts";

/** The cursor and the selection in a file. */
export interface FilePosition {
  readonly cursor: TextPosition;
  /** The whole selected text; undefined when nothing is selected. */
  readonly selectedText?: string;
  /** Where that text is; `end` is the first position behind it. */
  readonly selection?: { readonly start: TextPosition; readonly end: TextPosition };
}

/** 1-based line and character; a character is a UTF-16 unit. */
interface TextPosition {
  readonly line: number;
  readonly character: number;
}

export interface FileEditorOptions {
  readonly parent: HTMLElement;
  readonly fileName: string;
  readonly text: string;
  readonly wrap: boolean;
  readonly onPosition: (position: FilePosition) => void;
  readonly t: Translate;
  readonly catalog: Wording["catalog"];
}

/** A read-only editor of a file. */
export type FileEditor = ReturnType<typeof createFileEditor>;

export function createFileEditor(options: FileEditorOptions) {
  const { parent, fileName, text, wrap, onPosition, t, catalog } = options;
  const scale = measureText(text);
  const syntax = createSyntax(isPlain(scale) ? "" : fileName);
  const wrapped = new Compartment();
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      commonExtensions({ text, label: t("$1, read only", fileName), catalog }),
      wrapped.of(wrapping(wrap, scale)),
      readOnly(),
      highlightActiveLine(),
      syntax.extension,
      writtenLines,
      EditorView.updateListener.of(({ docChanged, selectionSet }) => {
        if (docChanged || selectionSet) onPosition(positionIn(view));
      }),
    ],
  });
  void syntax.load([view]);
  return {
    view,
    /** Shows a new text of the file. The cursor and the selection stay where the text is the same. */
    setText: (next: string) => {
      const before = view.state.doc.toString();
      if (before !== next) view.dispatch({ changes: changesBetween(before, next), filter: false });
    },
    setWrap: (isWrapped: boolean) =>
      view.dispatch({ effects: wrapped.reconfigure(wrapping(isWrapped, scale)) }),
    /** Marks where agents have written the text. */
    setWritten: (hunks: readonly LineChange[]) => view.dispatch({ effects: setWritten.of(hunks) }),
    position: () => positionIn(view),
    /** Moves the cursor there and scrolls to it, at most to the end. Numbers are 1-based. */
    goTo: (number: number, character: number) => {
      const line = view.state.doc.line(Math.min(number, view.state.doc.lines));
      const anchor = Math.min(line.from + character - 1, line.to);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    },
    destroy: () => view.destroy(),
  };
}

function positionIn({ state }: EditorView): FilePosition {
  const { head, from, to, empty } = state.selection.main;
  const at = (offset: number): TextPosition => {
    const line = state.doc.lineAt(offset);
    return { line: line.number, character: offset - line.from + 1 };
  };
  if (empty) return { cursor: at(head) };
  return {
    cursor: at(head),
    selectedText: state.sliceDoc(from, to),
    selection: { start: at(from), end: at(to) },
  };
}

/** Marks these lines and no others. */
const setWritten = StateEffect.define<readonly LineChange[]>();

const written = new GutterClass("cm-written");
const removedAbove = new GutterClass("cm-removedAbove");

/** Marks the lines that agents have written without asking, until the user has kept them. */
const writtenLines = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (present, { changes, effects, state }) => {
    const next = effects.find((effect) => effect.is(setWritten));
    return next ? toMarks(state, next.value) : present.map(changes);
  },
  provide: (field) => gutterLineClass.from(field),
});

function toMarks({ doc }: EditorState, hunks: readonly LineChange[]): RangeSet<GutterMarker> {
  const ranges = hunks.flatMap(({ line, added }) => {
    const last = Math.min(line + Math.max(added, 1), doc.lines);
    const numbers = Array.from({ length: Math.max(0, last - line) }, (_, index) => line + 1 + index);
    return numbers.map((number) => (added > 0 ? written : removedAbove).range(doc.line(number).from));
  });
  return RangeSet.of(ranges, true);
}
