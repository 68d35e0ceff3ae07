import type { EditorState } from "@codemirror/state";
import type { Sentence } from "../language/language.ts";

/** Translates a sentence to the language of an editor. */
export function phrase(
  state: EditorState,
  sentence: Sentence,
  ...values: readonly (string | number)[]
): string {
  return state.phrase(sentence, ...values);
}
