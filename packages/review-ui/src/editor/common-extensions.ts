import { search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { TextScale } from "../text/text-scale.ts";
import { appearance } from "./appearance.ts";
import { carriageReturns } from "./carriage-returns.ts";
import { cspNonce } from "./csp-nonce.ts";
import { exactText } from "./exact-text.ts";
import { specialCharacters } from "./special-characters.ts";

export interface CommonOptions {
  /** The text that the editor begins with. */
  readonly text: string;
  /** What a screen reader calls the editor. */
  readonly label: string;
  readonly scale: TextScale;
  readonly wrap: boolean;
}

/** What every editor of the page has: the exact text, its look, its line numbers, its search. */
export function commonExtensions({ text, label, scale, wrap }: CommonOptions): Extension {
  return [
    cspNonce,
    exactText(text),
    appearance,
    lineNumbers(),
    drawSelection(),
    carriageReturns(),
    specialCharacters(),
    search({ top: true }),
    keymap.of(searchKeymap),
    EditorState.tabSize.of(4),
    EditorView.contentAttributes.of({ "aria-label": label }),
    wrap && !scale.hasLongLine ? EditorView.lineWrapping : [],
  ];
}
