import { type EditorWithSign, isSet } from "./editor-record.ts";

export const emacs: EditorWithSign = {
  name: "emacs",
  displayName: "Emacs",
  sign: isSet("INSIDE_EMACS"),
  processes: /^emacs(-\w+)*$/,
  // Eglot 1.12, and lsp-mode.
  lsp: { names: ["eglot", "emacs"], choicesAreModal: true },
  install: {
    programs: ["emacs"],
    load: async () => (await import("./emacs-plan.ts")).planEmacs,
  },
  page: "emacs.md",
};
