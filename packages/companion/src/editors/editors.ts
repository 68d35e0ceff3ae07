import { type EditorRecord, type EditorWithSign, either, equals, isSet } from "./editor-record.ts";
import { jetbrains } from "./jetbrains.ts";
import { vscodeFamily } from "./vscode.ts";

const neovim: EditorRecord = {
  name: "neovim",
  displayName: "Neovim",
  // 0.10; it says "No information available" although another server has answered.
  lsp: {
    names: ["neovim"],
    choicesAreModal: true,
    returnsEndNoLines: true,
    unwanted: ["hover", "signatureHelp"],
  },
  install: {
    programs: ["nvim"],
    load: async () => (await import("./neovim-plan.ts")).planNeovim,
  },
  page: "neovim.md",
};

const vim: EditorRecord = {
  name: "vim",
  displayName: "Vim",
  install: {
    programs: ["vim", "gvim", "mvim"],
    load: async () => (await import("./vim-plan.ts")).planVim,
  },
  page: "vim.md",
};

const emacs: EditorRecord = {
  name: "emacs",
  displayName: "Emacs",
  // Eglot 1.12, and lsp-mode.
  lsp: { names: ["eglot", "emacs"], choicesAreModal: true },
  install: {
    programs: ["emacs"],
    load: async () => (await import("./emacs-plan.ts")).planEmacs,
  },
  page: "emacs.md",
};

const helix: EditorRecord = {
  name: "helix",
  displayName: "Helix",
  // 25.01; of several servers it asks but the first that offers to answer.
  lsp: {
    names: ["helix"],
    showsDocuments: true,
    hasBlockCursor: true,
    sendsControls: true,
    overtakes: true,
    returnsEndNoLines: true,
    keys: { actions: "space a", hover: "space k", close: ":bc!", reload: ":rla" },
    coversTextByHints: true,
    unwanted: ["signatureHelp", "documentHighlight", "inlayHint"],
  },
  install: {
    programs: ["hx", "helix"],
    load: async () => (await import("./helix-plan.ts")).planHelix,
  },
  page: "helix.md",
};

const kate: EditorRecord = {
  name: "kate",
  displayName: "Kate",
  lsp: { names: ["kate"], appliesEdits: true }, // 22.12
  install: {
    programs: ["kate"],
    load: async () => (await import("./kate-plan.ts")).planKate,
  },
  page: "kate.md",
};

const kakoune: EditorRecord = {
  name: "kakoune",
  displayName: "Kakoune",
  install: {
    programs: ["kak"],
    load: async () => (await import("./kakoune-plan.ts")).planKakoune,
  },
  page: "kakoune.md",
};

export const sublimeText: EditorWithSign = {
  name: "sublimetext",
  displayName: "Sublime Text",
  sign: equals("TERM_PROGRAM", "sublime"),
  page: "other-editors.md#sublime-text",
};

export const zed: EditorWithSign = {
  name: "zed",
  displayName: "Zed",
  sign: either(isSet("ZED_SESSION_ID"), equals("TERM_PROGRAM", "Zed")),
  page: "other-editors.md#zed",
};

/** Known to Gemini CLI alone. */
export const xcode: EditorWithSign = {
  name: "xcode",
  displayName: "XCode",
  sign: isSet("XCODE_VERSION_ACTUAL"),
};

/** Every editor that we know, in the order in which people read them. A new one is one record in this file, and one entry here. */
export const editors: readonly EditorRecord[] = [
  neovim,
  vim,
  emacs,
  helix,
  kate,
  kakoune,
  ...vscodeFamily,
  jetbrains,
  sublimeText,
  zed,
];
