import { expect, test, vi } from "vitest";
import { type Problem, toDiagnostic } from "./capabilities.ts";

vi.mock("vscode", () => ({}));

const problem: Problem = {
  range: { start: { line: 2, character: 6 }, end: { line: 2, character: 11 } },
  message: "Cannot find name 'answr'.",
  severity: 0,
};

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

test.each<[Problem["code"], string]>([
  [2304, "2304"],
  ["no-undef", "no-undef"],
  [{ value: 0 }, "0"],
])("the code %j is sent as %s", (code, sent) => {
  expect(toDiagnostic("/a.ts", { ...problem, code, source: "typescript" })).toMatchObject({
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
