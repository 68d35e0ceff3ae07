import { EditorState, type Extension } from "@codemirror/state";
import { countLineEndings, dominantLineEnding } from "../text/line-endings.ts";
import { lineEndGuard } from "./line-end-guard.ts";

/**
 * Makes an editor's document the text itself, code unit by code unit: only "\n" separates its lines, so that a
 * carriage return stays where it was, and `doc.toString()` gives back what was put in.
 * @param text decides what a line that the user adds ends with
 */
export function exactText(text: string): Extension {
  return [EditorState.lineSeparator.of("\n"), lineEndGuard(dominantLineEnding(countLineEndings(text)))];
}
