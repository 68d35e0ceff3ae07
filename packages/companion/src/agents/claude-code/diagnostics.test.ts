import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ClaudeClient, claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { createSharing } from "../../core/sharing/sharing.ts";
import { privateHost, startCore } from "../../testing/core.ts";
import { toPath } from "./connection.ts";

async function start() {
  const core = await startCore();
  const client = await ClaudeClient.connect(claudeLock(core.companion));
  const ask = async (input: object = {}) => JSON.parse((await client.call("getDiagnostics", input))[0] ?? "");
  return { ...core, ask };
}

test("diagnostics are asked for by a path as it is, and answered by the same, from 0", async () => {
  const { editor, root, ask } = await start();
  const filePath = join(root, "ü %20.ts");
  writeFileSync(filePath, "");
  editor.diagnostics = [
    {
      filePath,
      line: 3,
      character: 7,
      endLine: 4,
      endCharacter: 1,
      severity: "error",
      message: "no",
      source: "typescript",
      code: "2304",
    },
    { filePath, line: 1, character: 1, severity: "hint", message: "perhaps" },
    { filePath: join(root, "b.ts"), line: 1, character: 2, severity: "warning", message: "hm" },
  ];
  const uri = `file://${filePath}`;
  const first = {
    message: "no",
    severity: "Error",
    range: { start: { line: 2, character: 6 }, end: { line: 3, character: 0 } },
    source: "typescript",
    code: "2304",
  };
  const second = {
    message: "perhaps",
    severity: "Hint",
    range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
  };
  expect(await ask({ uri })).toEqual([{ uri, diagnostics: [first, second] }]);
  expect(await ask()).toMatchObject([
    { uri },
    { uri: `file://${join(root, "b.ts")}`, diagnostics: [{ severity: "Warning" }] },
  ]);
  // As a model may write it.
  const encoded = `file://${filePath.split("/").map(encodeURIComponent).join("/")}`;
  expect(await ask({ uri: encoded })).toMatchObject([{ uri: encoded, diagnostics: [first, second] }]);
  expect(await ask({ uri: "file://relative" })).toEqual([]);
});

test("Windows is asked about no share that a model names: it would send the user's password hash there", () => {
  const asked: string[] = [];
  const exists = (path: string) => asked.push(path) < 0;
  const rules = { roots: ["C:\\w"], platform: "win32" } as const;
  for (const path of ["\\\\evil\\share\\a.ts", "//evil/share/a.ts", "%5C%5Cevil%5Cshare", "\\\\.\\pipe\\x"])
    expect(toPath(`file://${path}`, rules, exists)).toBe(path);
  expect(asked).toEqual([]);
  expect(toPath("file://C:\\w\\a%20b.ts", rules, (path) => path === "C:\\w\\a b.ts")).toBe("C:\\w\\a b.ts");
});

test("an editor that does not know, fails or is slow has found nothing, within half a second", async () => {
  const { editor, ask } = await start();
  expect(await ask()).toEqual([]);
  editor.getDiagnostics = async () => Promise.reject(new Error("no language server"));
  expect(await ask()).toEqual([]);
  editor.getDiagnostics = () => new Promise(() => {});
  const asked = performance.now();
  expect(await ask()).toEqual([]);
  expect(performance.now() - asked).toBeGreaterThan(350);
});

test("diagnostics of what the user does not share are not sent", async () => {
  const root = "/w";
  const sharing = createSharing({ host: privateHost(), roots: () => [root] });
  const { editor, companion } = await startCore({ roots: [root], sharing });
  const client = await ClaudeClient.connect(claudeLock(companion));
  const found = (name: string) =>
    ({ filePath: join(root, name), line: 1, character: 1, severity: "error", message: "x" }) as const;
  editor.diagnostics = [found(".env"), found("a.ts")];
  const [text = ""] = await client.call("getDiagnostics");
  expect(JSON.parse(text)).toMatchObject([{ uri: "file:///w/a.ts" }]);
  sharing.pause(true);
  expect(await client.call("getDiagnostics")).toEqual(["[]"]);
});
