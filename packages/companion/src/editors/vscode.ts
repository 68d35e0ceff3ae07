import { type AppNames, type EditorRecord, type EditorWithSign, equals, isSet } from "./editor-record.ts";

export const vscode: EditorWithSign = {
  ...withOurExtension("vscode", "VS Code", "code", {
    mac: "Visual Studio Code",
    windows: "Microsoft VS Code",
  }),
  sign: equals("TERM_PROGRAM", "vscode"),
  // Its builds by others too: their terminals do not tell them apart.
  processes: /^code(-\w+)?$|^codium$|^vscodium$/,
  // A path with spaces in it hides the program's name.
  inCommand: /\/Visual Studio Code\.app\//,
};

export const cursor: EditorWithSign = {
  ...withOurExtension("cursor", "Cursor", "cursor", { mac: "Cursor" }),
  sign: isSet("CURSOR_TRACE_ID"),
  processes: /^cursor$/,
};

export const positron: EditorWithSign = {
  ...withOurExtension("positron", "Positron", "positron", { mac: "Positron" }),
  sign: equals("POSITRON", "1"),
  processes: /^positron$/,
};

export const antigravity: EditorWithSign = {
  ...withOurExtension("antigravity", "Antigravity", "antigravity", { mac: "Antigravity" }),
  sign: isSet("ANTIGRAVITY_CLI_ALIAS"),
  processes: /^antigravity$/,
};

export const trae: EditorWithSign = {
  name: "trae",
  displayName: "Trae",
  sign: equals("TERM_PRODUCT", "Trae"),
  processes: /^trae$/,
};

/** VS Code and what is made of it. */
export const vscodeFamily: readonly EditorRecord[] = [
  vscode,
  withOurExtension("vscode-insiders", "VS Code Insiders", "code-insiders", {
    mac: "Visual Studio Code - Insiders",
    windows: "Microsoft VS Code Insiders",
  }),
  withOurExtension("vscodium", "VSCodium", "codium", { mac: "VSCodium", windows: "VSCodium" }),
  withOurExtension("code-server", "code-server", "code-server"),
  cursor,
  withOurExtension("windsurf", "Windsurf", "windsurf", { mac: "Windsurf" }),
  positron,
  antigravity,
  trae,
];

/** @param program the command-line tool that comes with it */
function withOurExtension(name: string, displayName: string, program: string, app?: AppNames): EditorRecord {
  return {
    name,
    displayName,
    install: {
      programs: [program],
      ...(app && { app }),
      load: async () => (await import("./vscode-plan.ts")).planVscode({ displayName, program }),
    },
    page: "vscode.md",
  };
}
