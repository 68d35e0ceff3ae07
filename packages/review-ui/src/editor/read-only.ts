import { standardKeymap } from "@codemirror/commands";
import { EditorState, type Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";

/** A text that can be walked through and selected, but not changed. */
export function readOnly(): Extension {
  return [EditorState.readOnly.of(true), keymap.of(standardKeymap)];
}
