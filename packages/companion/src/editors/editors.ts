import { type EditorRecord, type EditorWithSign, either, equals, isSet } from "./editor-record.ts";
import { jetbrains } from "./jetbrains.ts";
import { antigravity, cursor, positron, trae, vscode, vscodeFamily } from "./vscode.ts";

const neovim: EditorWithSign = {
  name: "neovim",
  displayName: "Neovim",
  sign: isSet("NVIM"),
  processes: /^nvim(-qt)?$|^neovide$/,
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

const vim: EditorWithSign = {
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

const emacs: EditorWithSign = {
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

const helix: EditorRecord = {
  name: "helix",
  displayName: "Helix",
  processes: /^(hx|helix)$/,
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

const kate: EditorWithSign = {
  name: "kate",
  displayName: "Kate",
  sign: isSet("KATE_PID"),
  processes: /^kate$/,
  install: {
    programs: ["kate"],
    load: async () => (await import("./kate-plan.ts")).planKate,
  },
  page: "kate.md",
};

const kakoune: EditorWithSign = {
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

export const sublimeText: EditorWithSign = {
  name: "sublimetext",
  displayName: "Sublime Text",
  sign: equals("TERM_PROGRAM", "sublime"),
  processes: /^(sublime_text|subl)$/,
  page: "other-editors.md#sublime-text",
};

export const zed: EditorWithSign = {
  name: "zed",
  displayName: "Zed",
  sign: either(isSet("ZED_SESSION_ID"), equals("TERM_PROGRAM", "Zed")),
  processes: /^zed(-editor)?$/,
  page: "other-editors.md#zed",
};

// Of these we know only a variable in their terminals.

const devin: EditorWithSign = {
  name: "devin",
  displayName: "Devin",
  sign: isSet("__COG_BASHRC_SOURCED"),
};

const replit: EditorWithSign = {
  name: "replit",
  displayName: "Replit",
  sign: isSet("REPLIT_USER"),
};

const codespaces: EditorWithSign = {
  name: "codespaces",
  displayName: "GitHub Codespaces",
  sign: isSet("CODESPACES"),
};

const cloudShell: EditorWithSign = {
  name: "cloudshell",
  displayName: "Cloud Shell",
  sign: isSet("EDITOR_IN_CLOUD_SHELL", "CLOUD_SHELL"),
};

const firebaseStudio: EditorWithSign = {
  name: "firebasestudio",
  displayName: "Firebase Studio",
  sign: isSet("MONOSPACE_ENV"),
};

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
  devin,
  replit,
  codespaces,
  cloudShell,
  firebaseStudio,
  xcode,
];

/** A terminal may show several signs: those of a product, of the editor that it is made of, and of one inside it. */
const first: readonly EditorRecord[] = [
  antigravity,
  devin,
  replit,
  cursor,
  codespaces,
  cloudShell,
  trae,
  firebaseStudio,
  positron,
  sublimeText,
  zed,
  xcode,
  jetbrains,
  vscode,
];

/** Every editor, in the order in which the signs of terminals count: the first that is shown is the one. */
export const editorsBySign: readonly EditorRecord[] = [
  ...first,
  ...editors.filter((editor) => !first.includes(editor)),
];
