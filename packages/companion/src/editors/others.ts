import { type EditorWithSign, isSet } from "./editor-record.ts";

// Of these we know only a variable in their terminals.

export const devin: EditorWithSign = {
  name: "devin",
  displayName: "Devin",
  sign: isSet("__COG_BASHRC_SOURCED"),
};

export const replit: EditorWithSign = {
  name: "replit",
  displayName: "Replit",
  sign: isSet("REPLIT_USER"),
};

export const codespaces: EditorWithSign = {
  name: "codespaces",
  displayName: "GitHub Codespaces",
  sign: isSet("CODESPACES"),
};

export const cloudShell: EditorWithSign = {
  name: "cloudshell",
  displayName: "Cloud Shell",
  sign: isSet("EDITOR_IN_CLOUD_SHELL", "CLOUD_SHELL"),
};

export const firebaseStudio: EditorWithSign = {
  name: "firebasestudio",
  displayName: "Firebase Studio",
  sign: isSet("MONOSPACE_ENV"),
};

export const xcode: EditorWithSign = {
  name: "xcode",
  displayName: "XCode",
  sign: isSet("XCODE_VERSION_ACTUAL"),
};
