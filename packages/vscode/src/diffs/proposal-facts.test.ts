import type { Proposal } from "ide-companion";
import { expect, test, vi } from "vitest";
import { ToyChange, toyProposal } from "../testing/toy-change.ts";
import { OpenProposal } from "./open-proposal.ts";
import { faintDifferenceOf, lossOf, titleOf } from "./proposal-facts.ts";

vi.mock("vscode", async () => {
  const { FakeUri: Uri } = await import("../testing/fake-uri.ts");
  const t = (text: string, ...values: string[]) => values.reduce((t, v, i) => t.replace(`{${i}}`, v), text);
  return { Uri, l10n: { t }, workspace: { asRelativePath: (path: string) => path.replace("/project/", "") } };
});

function open(before: string, newContent: string, { exact = true } = {}): OpenProposal {
  const base = { kind: "text", text: before, exact, size: 0, stamp: "" } as const;
  const proposal: Proposal = { ...toyProposal, filePath: "/project/src/a.txt", base, newContent };
  return new OpenProposal(new ToyChange(proposal));
}

test.each([
  ["a\n", "a\n", "no difference"],
  ["a\n", "a\r\n", "only line ends"],
  ["a\n", "a", "only the last newline"],
  ["        a\n", "\ta\n", "only white space"],
  ["a\n", "b\n", undefined],
])("what VS Code's diff hides is said: from %j to %j", (before, after, said) => {
  expect(faintDifferenceOf(open(before, after))).toBe(said);
});

test("before the decision its user reads how many lines that are not UTF-8 it replaces", () => {
  expect(lossOf(open("caf\uFFFD\nplain\n\uFFFD\n", "b\n", { exact: false }))).toBe(
    "not UTF-8: accepting replaces 2 lines",
  );
  expect(lossOf(open("caf\uFFFD\n", "b\n"))).toBeUndefined();
});

test("where another change has the same name, the tab says the folder", () => {
  const proposal = open("a\n", "b\n");
  expect(titleOf(proposal)).toBe("a.txt (Toy)");
  proposal.needsFolder = true;
  expect(titleOf(proposal)).toBe("a.txt · src (Toy)");
});
