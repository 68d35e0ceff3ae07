import { expect, test, vi } from "vitest";
import type { Diagnostic } from "vscode";
import { openFile, toDiagnostic } from "./capabilities.ts";

const { groups } = vi.hoisted(() => ({ groups: [] as { activeTab: unknown; viewColumn: number }[] }));

vi.mock("vscode", () => {
  class TabInputText {
    readonly uri: unknown;
    constructor(uri: unknown) {
      this.uri = uri;
    }
  }
  const kinds = ["TabInputNotebook", "TabInputCustom", "TabInputTextDiff", "TabInputNotebookDiff"];
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, class {}])),
    TabInputText,
    ViewColumn: { Active: -1 },
    Uri: { file: (path: string) => ({ scheme: "file", fsPath: path.replace(/^C:/, "c:") }) },
    commands: {
      executeCommand: async (_: string, uri: unknown, { viewColumn }: { viewColumn: number }) => {
        groups.push({ activeTab: { input: new TabInputText(uri) }, viewColumn });
      },
    },
    window: { tabGroups: { all: groups } },
  };
});

const problem = {
  range: { start: { line: 2, character: 6 }, end: { line: 2, character: 11 } },
  message: "Cannot find name 'answr'.",
  severity: 0,
} as Diagnostic;

test("positions count from 1, and what a problem does not have is left out", () => {
  expect(toDiagnostic("/a.ts", problem)).toEqual({
    filePath: "/a.ts",
    line: 3,
    character: 7,
    endLine: 3,
    endCharacter: 12,
    severity: "error",
    message: "Cannot find name 'answr'.",
  });
});

test.each<[unknown, string]>([
  [2304, "2304"],
  ["no-undef", "no-undef"],
  [{ value: 0 }, "0"],
])("the code %j is sent as %s", (code, sent) => {
  expect(toDiagnostic("/a.ts", { ...problem, code, source: "typescript" } as Diagnostic)).toMatchObject({
    code: sent,
    source: "typescript",
  });
});

test.each([
  [0, "error"],
  [1, "warning"],
  [2, "info"],
  [3, "hint"],
])("severity %i is sent as %s", (severity, sent) => {
  expect(toDiagnostic("/a.ts", { ...problem, severity }).severity).toBe(sent);
});

test("a file whose drive letter VS Code spells otherwise counts as open, and opens again in its column", async () => {
  await openFile({ path: "C:\\src\\a.ts" }, false);
  for (const group of groups) group.viewColumn = 3;
  await openFile({ path: "C:\\src\\a.ts" }, false);
  expect(groups.at(-1)?.viewColumn).toBe(3);
});
