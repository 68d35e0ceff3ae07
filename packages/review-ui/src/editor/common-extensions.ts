import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import type { Wording } from "../language/language.ts";
import type { TextScale } from "../text/text-scale.ts";
import { appearance } from "./appearance.ts";
import { carriageReturns } from "./carriage-returns.ts";
import { cspNonce } from "./csp-nonce.ts";
import { exactText } from "./exact-text.ts";
import { matchMarks } from "./match-marks.ts";
import { specialCharacters } from "./special-characters.ts";

export interface CommonOptions {
  /** The text that the editor begins with. */
  readonly text: string;
  /** What a screen reader calls the editor. */
  readonly label: string;
  readonly scale: TextScale;
  readonly wrap: boolean;
  /** By which an editor finds its words; undefined in English. */
  readonly table: Wording["table"];
}

/** The page searches by itself; what is left is replacing, and going to a line. */
const ofThePage = new Set<string | undefined>(["Mod-f", "F3", "Mod-g"]);
const withinPanel = searchKeymap.filter(({ key }) => !ofThePage.has(key));

/** What every editor of the page has: the exact text, its look, its line numbers, its search. */
export function commonExtensions({ text, label, scale, wrap, table }: CommonOptions): Extension {
  return [
    cspNonce,
    exactText(text),
    appearance,
    lineNumbers(),
    table ? EditorState.phrases.of(table) : [],
    carriageReturns(),
    specialCharacters(),
    search({ top: true }),
    matchMarks(),
    keymap.of([{ key: "Mod-Alt-f", run: openSearchPanel }, ...withinPanel]),
    EditorState.tabSize.of(4),
    // By the keyboard a text is reached as a whole; not all that check a page know it without being told.
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    wrap && !scale.hasLongLine ? EditorView.lineWrapping : [],
  ];
}
