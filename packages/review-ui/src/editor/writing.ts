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

/** Commands that move and copy lines are left out, because they break line endings. Alt with an arrow goes to a change. */
const unwanted = new Set<Command | undefined>([
  moveLineUp,
  moveLineDown,
  copyLineUp,
  copyLineDown,
  insertBlankLine,
]);

/** An editable text. Tab indents, so Escape leaves the text, which is a shortcut of the page. */
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

/** The indentation of one level. */
function detectIndent(text: string): string {
  const first = /^([\t ]+)\S/m.exec(text.slice(0, 100_000))?.[1] ?? "  ";
  if (first.startsWith("\t")) return "\t";
  return first.length % 4 === 0 ? "    " : "  ";
}
