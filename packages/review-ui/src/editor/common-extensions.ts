import { standardKeymap } from "@codemirror/commands";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Wording } from "../language/language.ts";
import type { TextScale } from "../text/text-scale.ts";
import { carriageReturns } from "./carriage-returns.ts";
import { exactText } from "./exact-text.ts";
import { matchMarks } from "./finder.ts";
import { specialCharacters } from "./special-characters.ts";

export interface CommonOptions {
  /** The initial text. */
  readonly text: string;
  /** The editor's name for screen readers. */
  readonly label: string;
  readonly scale: TextScale;
  readonly wrap: boolean;
  /** Translations for CodeMirror; undefined in English. */
  readonly table: Wording["table"];
}

/** The page has its own search. Replacing and going to a line are CodeMirror's. */
const ofThePage = new Set<string | undefined>(["Mod-f", "F3", "Mod-g"]);
const withinPanel = searchKeymap.filter(({ key }) => !ofThePage.has(key));

/** The extensions of every editor: exact text, theme, line numbers, search. */
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
    // The editor gets the focus as a whole. Some accessibility checkers need the attribute to see that.
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    wrap && !scale.hasLongLine ? EditorView.lineWrapping : [],
  ];
}

/** CodeMirror adds `<style>` elements, which the page's policy allows only with this nonce. */
export const cspNonce = EditorView.cspNonce.of(
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "",
);

/** One style for both themes: its colours are custom properties of the page. */
const highlightStyle = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword],
    color: "var(--syntax-keyword)",
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--syntax-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--syntax-number)" },
  { tag: [tags.comment, tags.meta], color: "var(--syntax-comment)" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: "var(--syntax-function)",
  },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], color: "var(--syntax-type)" },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], color: "var(--syntax-property)" },
  { tag: tags.heading, color: "var(--syntax-keyword)", fontWeight: "600" },
  { tag: tags.link, color: "var(--syntax-string)", textDecoration: "underline" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.invalid, color: "var(--removed-text)" },
]);

const theme = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px" },
  ".cm-content": { padding: "4px 0 24px", caretColor: "var(--text)" },
  ".cm-line": { padding: "0 12px 0 8px" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--text-faint)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 8px 0 12px", minWidth: "32px" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--line-active)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent", color: "var(--text)" },
  // The browser draws the selection over any line background, and in the user's colours if they are forced.
  ".cm-content ::selection": { backgroundColor: "var(--selection)" },
  ".cm-searchMatch": { backgroundColor: "var(--match)", outline: "1px solid var(--match-edge)" },
  ".cm-searchMatch-selected": {
    backgroundColor: "var(--match-current)",
    outline: "2px solid var(--accent)",
  },
  ".cm-panels": { backgroundColor: "var(--raised)", color: "var(--text)" },
  ".cm-panels-top": { borderBottom: "1px solid var(--edge)" },
  ".cm-specialChar": {
    color: "var(--special-text)",
    backgroundColor: "var(--special)",
    borderRadius: "3px",
    padding: "0 3px",
    margin: "0 1px",
    fontSize: "0.8em",
  },
});

/** The appearance of every editor. */
export const appearance = [theme, syntaxHighlighting(highlightStyle)];

/** A text with cursor and selection that cannot be changed. */
export function readOnly(): Extension {
  return [EditorState.readOnly.of(true), keymap.of(standardKeymap)];
}
