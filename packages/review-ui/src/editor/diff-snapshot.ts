import { historyField } from "@codemirror/commands";
import type { EditorSelection, Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

/** What a user has in a diff editor besides its texts: an editor with another layout takes it over. */
export interface DiffSnapshot {
  readonly draft: string;
  readonly selection: EditorSelection;
  /** The undo history; undefined where the draft was read-only. */
  readonly history: unknown;
  /** The text of the draft has the focus. */
  readonly hasFocus: boolean;
}

/** @param view of the draft */
export function toSnapshot({ state, contentDOM }: EditorView): DiffSnapshot {
  return {
    draft: state.doc.toString(),
    selection: state.selection,
    history: state.field(historyField, false),
    hasFocus: document.activeElement === contentDOM,
  };
}

/** @param draft with which the editor opens: the history is one of the text of the snapshot */
export function takeOverHistory(snapshot: DiffSnapshot | undefined, draft: string): Extension {
  const { history } = snapshot?.draft === draft ? snapshot : {};
  return history === undefined ? [] : historyField.init(() => history);
}
