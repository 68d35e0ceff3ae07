import { historyField } from "@codemirror/commands";
import type { EditorSelection } from "@codemirror/state";
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

/** @param draft with which the editor opens: another page may have changed it since */
export function takeOver(snapshot: DiffSnapshot | undefined, draft: string) {
  if (!snapshot) return { selection: { anchor: 0 }, history: [] };
  const { selection, history } = snapshot;
  if (snapshot.draft !== draft)
    return { selection: { anchor: Math.min(selection.main.head, draft.length) }, history: [] };
  return { selection, history: history === undefined ? [] : historyField.init(() => history) };
}
