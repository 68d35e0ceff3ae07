import { type AppNames, type EditorRecord, type EditorWithSign, equals } from "./editor-record.ts";

export const vscode: EditorWithSign = {
  ...withOurExtension("vscode", "VS Code", "code", {
    mac: "Visual Studio Code",
    windows: "Microsoft VS Code",
  }),
  sign: equals("TERM_PROGRAM", "vscode"),
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
  withOurExtension("cursor", "Cursor", "cursor", { mac: "Cursor" }),
  withOurExtension("windsurf", "Windsurf", "windsurf", { mac: "Windsurf" }),
  withOurExtension("positron", "Positron", "positron", { mac: "Positron" }),
  withOurExtension("antigravity", "Antigravity", "antigravity", { mac: "Antigravity" }),
];

/** @param program the command-line tool that comes with it */
function withOurExtension(name: string, displayName: string, program: string, app?: AppNames): EditorRecord {
  return {
    name,
    displayName,
    install: {
      programs: [program],
      ...(app && { app }),
      load: async () => (await import("./vscode-plan.ts")).planVscode(displayName, program),
    },
    page: "vscode.md",
  };
}
