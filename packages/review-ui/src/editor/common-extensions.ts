import {
  copyLineDown,
  copyLineUp,
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  insertBlankLine,
  insertNewlineKeepIndent,
  moveLineDown,
  moveLineUp,
  standardKeymap,
} from "@codemirror/commands";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { type Command, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { cspNonce } from "../csp-nonce.ts";
import type { Wording } from "../language/language.ts";
import type { TextScale } from "../text/text-scale.ts";
import { isAfterLastLine, oldNumbers, removedLineAt } from "./change-gutter.ts";
import { carriageReturns, exactText } from "./exact-text.ts";
import { matchMarks } from "./finder.ts";
import { hangingIndent } from "./hanging-indent.ts";

export interface CommonOptions {
  /** The initial text. */
  readonly text: string;
  /** The editor's name for screen readers. */
  readonly label: string;
  /** Called when the user clicks a line's number, or drags over several. @param isRange with Shift, or for a drag's end */
  readonly onLine?: (view: EditorView, line: number, isRange: boolean) => void;
  /** The same for the old number of a removed line, which is in another text. */
  readonly onRemovedLine?: CommonOptions["onLine"];
  /** Lines have their old numbers as well, in the unified view. */
  readonly hasOldNumbers?: boolean;
  /** Translations for CodeMirror; undefined in English. */
  readonly catalog: Wording["catalog"];
}

/** The extensions of every editor: exact text, theme, line numbers, marks of a search. */
export function commonExtensions(options: CommonOptions): Extension {
  const { text, label, onLine, onRemovedLine, hasOldNumbers = false, catalog } = options;
  const events = onLine && { domEventHandlers: { mousedown: pressLine(onLine, onRemovedLine) } };
  return [
    EditorView.cspNonce.of(cspNonce),
    exactText(text),
    appearance,
    hasOldNumbers ? oldNumbers(events) : [],
    lineNumbers({ ...events, formatNumber }),
    catalog ? EditorState.phrases.of(catalog) : [],
    carriageReturns(),
    specialCharacters(),
    matchMarks(),
    EditorState.tabSize.of(4),
    // The editor gets the focus as a whole. Some accessibility checkers need the attribute to see that.
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
  ];
}

function formatNumber(number: number, state: EditorState): string {
  // CodeMirror also asks for a higher number, to find the width of all.
  const isLast = number === state.doc.lines;
  return isLast && isAfterLastLine(state, state.doc.length) ? "" : String(number);
}

/** Wraps long lines, if the user wants that and none is too long for it. */
export function wrapping(wrap: boolean, { hasLongLine }: TextScale): Extension {
  return wrap && !hasLongLine ? [EditorView.lineWrapping, hangingIndent] : [];
}

function pressLine(onLine: NonNullable<CommonOptions["onLine"]>, onRemovedLine: CommonOptions["onLine"]) {
  return (view: EditorView, { from }: { readonly from: number }, event: Event) => {
    if (!(event instanceof MouseEvent) || event.button !== 0) return false;
    const removed = removedLineAt(event.target);
    if (removed !== undefined) {
      onRemovedLine?.(view, removed, event.shiftKey);
      event.preventDefault();
      return true;
    }
    const { number } = view.state.doc.lineAt(from);
    if (event.shiftKey) onLine(view, number, true);
    else dragFromLine(view, number, onLine);
    event.preventDefault();
    return true;
  };
}

/** Waits for the release: what opens below the line would move the lines under the pointer. */
function dragFromLine(view: EditorView, pressed: number, onLine: NonNullable<CommonOptions["onLine"]>): void {
  let last = pressed;
  const move = ({ clientY }: MouseEvent) => {
    const { doc } = view.state;
    const line = doc.lineAt(view.lineBlockAtHeight(clientY - view.documentTop).from).number;
    if (line === last) return;
    last = line;
    const [first, end] = [doc.line(Math.min(pressed, last)), doc.line(Math.max(pressed, last))];
    view.focus();
    view.dispatch({ selection: { anchor: first.from, head: end.to } });
  };
  const release = () => {
    window.removeEventListener("mousemove", move);
    onLine(view, pressed, false);
    if (last !== pressed) onLine(view, last, true);
  };
  window.addEventListener("mousemove", move);
  window.addEventListener("mouseup", release, { once: true });
}

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
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "var(--code-line)" },
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
const appearance = [theme, syntaxHighlighting(highlightStyle)];

/** A text with cursor and selection that cannot be changed. */
export function readOnly(): Extension {
  return [EditorState.readOnly.of(true), keymap.of(standardKeymap)];
}

/** Commands that move and copy lines are left out, because they break line endings. Alt with an arrow goes to a change. */
const unwanted = new Set<Command | undefined>([
  moveLineUp,
  moveLineDown,
  copyLineUp,
  copyLineDown,
  insertBlankLine,
]);

/**
 * An editable text. Tab indents, but not where Tab itself has brought the focus: who walks through the page by Tab
 * would change the text. Escape leaves the text, which is a shortcut of the page.
 */
export function writing(text: string): Extension {
  return [
    history(),
    pasteOfText,
    tabOfTheUser,
    indentUnit.of(detectIndent(text)),
    keymap.of([
      { key: "Enter", run: insertNewlineKeepIndent },
      indentWithTab,
      ...historyKeymap,
      ...defaultKeymap.filter(({ run }) => !unwanted.has(run)),
    ]),
  ];
}

const tabOfTheUser = EditorView.domEventHandlers({
  mousedown: (_event, view) => view.setTabFocusMode(false),
  blur: (_event, view) => {
    // The whole window may have lost the focus, and brings it back.
    if (document.hasFocus()) view.setTabFocusMode(true);
  },
});

/** CodeMirror pastes an image, or anything else without a text, as an empty text over the selection. */
const pasteOfText = EditorView.domEventHandlers({
  paste: ({ clipboardData }) =>
    clipboardData !== null && !["text/plain", "text/uri-list"].some((type) => clipboardData.getData(type)),
});

/** The indentation of one level. */
function detectIndent(text: string): string {
  const first = /^([\t ]+)\S/m.exec(text.slice(0, 100_000))?.[1] ?? "  ";
  if (first.startsWith("\t")) return "\t";
  return first.length % 4 === 0 ? "    " : "  ";
}

/** The names of characters, by their codes. */
const names = new Map(
  "00 NUL,1B ESC,7F DEL,AD SHY,61C ALM,180E MVS,200B ZWSP,200E LRM,200F RLM,2028 LS,2029 PS,202A LRE,202B RLE,202C PDF,202D LRO,202E RLO,2060 WJ,2066 LRI,2067 RLI,2068 FSI,2069 PDI,FEFF BOM"
    .split(",")
    .map((pair) => pair.split(" "))
    .map(([code = "", name]) => [Number.parseInt(code, 16), name]),
);

/**
 * Shows invisible and misleading characters: control characters except carriage returns, the byte order mark, zero-width
 * and bidirectional controls, tag characters, and halves of surrogate pairs.
 */
const pattern =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
  /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\xAD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uD800-\uDFFF\uFEFF\uFFF9-\uFFFC\u{E0000}-\u{E007F}]/gu;

const hex = (code: number) => code.toString(16).toUpperCase().padStart(4, "0");

function specialCharacters(): Extension {
  return highlightSpecialChars({
    specialChars: pattern,
    render: (code) => {
      const isHalf = code >= 0xd800 && code <= 0xdfff;
      const element = document.createElement("span");
      element.className = "cm-specialChar";
      element.textContent = names.get(code) ?? (isHalf ? `½ ${hex(code)}` : hex(code));
      element.title = `U+${hex(code)}${isHalf ? ": half of a surrogate pair" : ""}`;
      return element;
    },
  });
}
