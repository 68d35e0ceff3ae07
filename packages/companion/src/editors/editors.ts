import type { EditorRecord } from "./editor-record.ts";
import { emacs } from "./emacs.ts";
import { helix } from "./helix.ts";
import { jetbrains } from "./jetbrains.ts";
import { kakoune } from "./kakoune.ts";
import { kate } from "./kate.ts";
import { neovim } from "./neovim.ts";
import { cloudShell, codespaces, devin, firebaseStudio, replit, xcode } from "./others.ts";
import { sublimeText } from "./sublime-text.ts";
import { vim } from "./vim.ts";
import { antigravity, cursor, positron, trae, vscode, vscodeFamily } from "./vscode.ts";
import { zed } from "./zed.ts";

/** Every editor that we know, in the order in which people read them. A new one is one file and one entry here. */
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
