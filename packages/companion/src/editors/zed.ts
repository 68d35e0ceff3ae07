import { type EditorWithSign, either, equals, isSet } from "./editor-record.ts";

export const zed: EditorWithSign = {
  name: "zed",
  displayName: "Zed",
  sign: either(isSet("ZED_SESSION_ID"), equals("TERM_PROGRAM", "Zed")),
  processes: /^zed(-editor)?$/,
  page: "other-editors.md#zed",
};
