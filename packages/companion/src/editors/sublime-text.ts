import type { EditorWithSign } from "./editor-record.ts";
import { equals } from "./terminal-signs.ts";

export const sublimeText: EditorWithSign = {
  name: "sublimetext",
  displayName: "Sublime Text",
  sign: equals("TERM_PROGRAM", "sublime"),
  processes: /^(sublime_text|subl)$/,
  page: "other-editors.md#sublime-text",
};
