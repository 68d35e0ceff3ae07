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
} from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { type Command, keymap } from "@codemirror/view";

/** Moving and copying whole lines adds and drops line endings; Alt with an arrow goes to the next change here. */
const unwanted = new Set<Command | undefined>([
  moveLineUp,
  moveLineDown,
  copyLineUp,
  copyLineDown,
  insertBlankLine,
]);

/** A text that can be changed. Tab indents, so Escape must lead out: the page's shortcuts see to that. */
export function writing(text: string): Extension {
  return [
    history(),
    indentUnit.of(detectIndent(text)),
    keymap.of([
      { key: "Enter", run: insertNewlineKeepIndent },
      indentWithTab,
      ...historyKeymap,
      ...defaultKeymap.filter(({ run }) => !unwanted.has(run)),
    ]),
  ];
}

/** What one level of the text is indented by. */
function detectIndent(text: string): string {
  const first = /^([\t ]+)\S/m.exec(text.slice(0, 100_000))?.[1] ?? "  ";
  if (first.startsWith("\t")) return "\t";
  return first.length % 4 === 0 ? "    " : "  ";
}
