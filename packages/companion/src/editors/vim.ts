import { type EditorWithSign, isSet } from "./editor-record.ts";

export const vim: EditorWithSign = {
  name: "vim",
  displayName: "Vim",
  sign: isSet("VIM_TERMINAL"),
  processes: /^g?vim(\.\w+)?$|^mvim$/,
  install: {
    programs: ["vim", "gvim", "mvim"],
    load: async () => (await import("./vim-plan.ts")).planVim,
  },
  page: "vim.md",
};
