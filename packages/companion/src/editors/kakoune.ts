import { type EditorWithSign, isSet } from "./editor-record.ts";

export const kakoune: EditorWithSign = {
  name: "kakoune",
  displayName: "Kakoune",
  sign: isSet("kak_session"),
  processes: /^kak$/,
  install: {
    programs: ["kak"],
    load: async () => (await import("./kakoune-plan.ts")).planKakoune,
  },
  page: "kakoune.md",
};
