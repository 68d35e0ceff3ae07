import { mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDraftShelf } from "./draft-shelf.ts";

const draft = { filePath: "/a.ts", agent: "Gemini CLI", content: "mine\n" };

function privateFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "drafts-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "drafts");
}

test("a window's own drafts, and those of another window that lives, stay where they are", () => {
  const folder = privateFolder();
  const shelf = createDraftShelf({ folder, isAlive: () => true });
  expect(shelf.takeLeft()).toEqual([]);
  shelf.write("1", draft);
  writeFileSync(join(folder, "1234-1.json"), JSON.stringify(draft));
  expect(shelf.takeLeft()).toEqual([]);
  shelf.remove("1");
  expect(readdirSync(folder)).toEqual(["1234-1.json"]);
});

test("what a dead window has left is taken once", () => {
  const folder = privateFolder();
  const shelf = createDraftShelf({ folder, isAlive: () => false });
  shelf.write("1", draft);
  writeFileSync(join(folder, "1234-1.json"), JSON.stringify(draft));
  writeFileSync(join(folder, "1234-2.json"), '{"filePa');
  expect(shelf.takeLeft()).toEqual([draft]);
  expect(readdirSync(folder)).toEqual([`${process.pid}-1.json`]);
});

test("nobody else may read a draft", () => {
  const folder = privateFolder();
  createDraftShelf({ folder, isAlive: () => true }).write("1", draft);
  expect([
    statSync(folder).mode & 0o777,
    statSync(join(folder, `${process.pid}-1.json`)).mode & 0o777,
  ]).toEqual([0o700, 0o600]);
});
