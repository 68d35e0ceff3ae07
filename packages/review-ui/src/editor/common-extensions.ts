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
  /** The text that the editor begins with. */
  readonly text: string;
  /** What a screen reader calls the editor. */
  readonly label: string;
  readonly scale: TextScale;
  readonly wrap: boolean;
  /** By which an editor finds its words; undefined in English. */
  readonly table: Wording["table"];
}

/** The page implements search; CodeMirror only replaces, and goes to a line. */
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
    // The keyboard reaches a text as a whole. Some accessibility checkers find that only by this attribute.
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    wrap && !scale.hasLongLine ? EditorView.lineWrapping : [],
  ];
}

/** CodeMirror puts its styles into the page as `<style>`, which the page's policy allows with this nonce only. */
export const cspNonce = EditorView.cspNonce.of(
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "",
);

/** Colours are the page's own custom properties, so that both themes need one style only. */
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
  // The browser draws it over whatever background a line has, and in the user's own colours where those are forced.
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

/** How every editor of the page looks. */
export const appearance = [theme, syntaxHighlighting(highlightStyle)];

/** A text that can be walked through and selected, but not changed. */
export function readOnly(): Extension {
  return [EditorState.readOnly.of(true), keymap.of(standardKeymap)];
}
