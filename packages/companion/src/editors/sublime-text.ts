import { type EditorWithSign, equals } from "./editor-record.ts";

export const sublimeText: EditorWithSign = {
  name: "sublimetext",
  displayName: "Sublime Text",
  sign: equals("TERM_PROGRAM", "sublime"),
  processes: /^(sublime_text|subl)$/,
  page: "other-editors.md#sublime-text",
};
