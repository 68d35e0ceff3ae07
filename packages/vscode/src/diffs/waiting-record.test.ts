import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createWaitingRecord } from "./waiting-record.ts";

vi.mock("vscode", () => ({}));

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "waiting-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("the next window names once what waited in a window that has ended", () => {
  const folder = createFolder();
  const dead = createWaitingRecord(folder, () => false);
  dead.write(["note.txt (Agent One)"]);
  dead.write(["note.txt (Agent One)", "other.txt (Agent Two)"]);
  const next = createWaitingRecord(folder, () => false);
  expect(next.takeLeft()).toEqual(["note.txt (Agent One)", "other.txt (Agent Two)"]);
  expect(next.takeLeft()).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test("what waits in another live window is not named", () => {
  const folder = createFolder();
  writeFileSync(join(folder, "1234-0a1b2c3d.json"), '["note.txt (Agent One)"]');
  const window = createWaitingRecord(folder, () => true);
  window.write(["own.txt (Agent One)"]);
  expect(window.takeLeft()).toEqual([]);
  window.write([]);
  expect(readdirSync(folder)).toEqual(["1234-0a1b2c3d.json"]);
});
