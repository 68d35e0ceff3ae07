import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { describeFailures } from "../agents/discovery/discovery.ts";
import { ensureOwnedFolder, readPrivateFile, writePrivateFile } from "./private-file.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "owned-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
});

test("a folder of another user is refused by name, with owner and remedy", () => {
  const folder = path.join(root, "gemini");
  mkdirSync(folder, { mode: 0o755 });
  const { uid } = statSync(folder);
  expect(() => ensureOwnedFolder(folder, uid + 1)).toThrow(
    `${folder} belongs to user ${uid}, and must belong to you (user ${uid + 1}). Have it removed, or set ` +
      "TMPDIR to your own folder, for the companion and for the agent CLIs.",
  );
  expect(statSync(folder).mode & 0o777).toBe(0o755);
});

test.runIf(process.getuid?.() === 0)("even root does not write into a folder that a user can swap", () => {
  const folder = path.join(root, "gemini");
  mkdirSync(folder);
  chownSync(folder, 12_345, 12_345);
  expect(() => ensureOwnedFolder(folder)).toThrow(`${folder} belongs to user 12345`);
});

test("what is missing above the folder is made, for us alone", () => {
  const folder = path.join(root, "a", "b");
  ensureOwnedFolder(folder);
  expect(statSync(path.dirname(folder)).mode & 0o077).toBe(0);
});

test("without user ids, as on Windows, owner and mode are not asked", () => {
  const folder = path.join(root, "gemini");
  mkdirSync(folder, { mode: 0o755 });
  ensureOwnedFolder(folder, null);
  expect(statSync(folder).mode & 0o777).toBe(0o755);
});

test("a file of another user, or one too large to be ours, is not read", () => {
  const file = path.join(root, "1.lock");
  writePrivateFile(file, "{}");
  const { uid } = statSync(file);
  expect(readPrivateFile(file, { uid })).toBe("{}");
  expect(readPrivateFile(file, { uid: uid + 1 })).toBeUndefined();
  writeFileSync(file, "x".repeat(64 * 1024 + 1));
  expect(readPrivateFile(file, { uid })).toBeUndefined();
});

test("a write that fails leaves its target as it was and no temporary file", () => {
  const file = path.join(root, "missing", "1.lock");
  expect(() => writePrivateFile(file, "{}")).toThrow("ENOENT");
  expect(existsSync(path.dirname(file))).toBe(false);
});

test("every reason why files cannot be written is reported once, with a remedy", () => {
  const fail = (path: string, code: string) => ({ path, error: Object.assign(new Error("raw"), { code }) });
  expect(
    describeFailures([fail("/tmp/a", "ENOSPC"), fail("/tmp/b", "ENOSPC"), fail("/tmp/c", "EROFS")], "/tmp"),
  ).toBe(
    "Cannot write /tmp/a and 1 more: the disk is full. Free some space, or point TMPDIR at a folder on " +
      "another disk. Cannot write /tmp/c: the file system is read-only. Point TMPDIR at a folder that can " +
      "be written.",
  );
  expect(describeFailures([fail("/tmp/a", "EPERM")], "/tmp")).toContain(
    "something of another user is in the way",
  );
  expect(describeFailures([fail("/tmp/a", "EWHATEVER")], "/tmp")).toBe("Cannot write /tmp/a: raw");
});

test("a file in the home, which no other TMPDIR moves, comes without that advice", () => {
  const fail = (code: string) => ({
    path: "/home/ada/.claude/a",
    error: Object.assign(new Error(), { code }),
  });
  expect(describeFailures([fail("EACCES")], "/tmp")).toBe(
    "Cannot write /home/ada/.claude/a: permission denied. Make the folder writable for you.",
  );
  expect(describeFailures([fail("EROFS")], "/tmp")).toBe(
    "Cannot write /home/ada/.claude/a: the file system is read-only.",
  );
});
