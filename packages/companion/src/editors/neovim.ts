import { type EditorWithSign, isSet } from "./editor-record.ts";

export const neovim: EditorWithSign = {
  name: "neovim",
  displayName: "Neovim",
  sign: isSet("NVIM"),
  processes: /^nvim(-qt)?$|^neovide$/,
  // 0.10; it says "No information available" although another server has answered.
  lsp: { names: ["neovim"], choicesAreModal: true, unwanted: ["hover", "signatureHelp"] },
  install: {
    programs: ["nvim"],
    load: async () => (await import("./neovim-plan.ts")).planNeovim,
  },
  page: "neovim.md",
};
