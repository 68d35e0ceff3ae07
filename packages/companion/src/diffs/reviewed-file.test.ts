import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../testing/core.ts";
import { holdsText, writeReviewedFile } from "./reviewed-file.ts";

test("the text is written byte for byte and the mode kept", async () => {
  const path = join(privateFolder(), "a b.sh");
  writeFileSync(path, "old");
  chmodSync(path, 0o757);
  await writeReviewedFile(path, "\uFEFFnew\r\n\tlast line without end");
  expect(readFileSync(path, "utf8")).toBe("\uFEFFnew\r\n\tlast line without end");
  expect(statSync(path).mode & 0o777).toBe(0o757);
});

test("a new file in a new folder is made", async () => {
  const path = join(privateFolder(), "new", "folder", "a.ts");
  await writeReviewedFile(path, "x");
  expect(readFileSync(path, "utf8")).toBe("x");
});

test("a symbolic link stays one, and its target changes", async () => {
  const folder = privateFolder();
  writeFileSync(join(folder, "target"), "old");
  symlinkSync("target", join(folder, "link"));
  await writeReviewedFile(join(folder, "link"), "new");
  expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(folder, "target"), "utf8")).toBe("new");
});

test("when writing fails, the file is as it was and nothing is left beside it", async () => {
  const folder = privateFolder();
  mkdirSync(join(folder, "a-folder"));
  await expect(writeReviewedFile(join(folder, "a-folder"), "x")).rejects.toThrow("EISDIR");
  expect(readdirSync(folder)).toEqual(["a-folder"]);
});

test("a file holds a text when it does so byte for byte, by whatever link it is reached", () => {
  const folder = privateFolder();
  const path = join(folder, "a");
  const text = "\uFEFFä\r\n";
  writeFileSync(path, text);
  symlinkSync("a", join(folder, "link"));
  expect([path, join(folder, "link")].map((each) => holdsText(each, text))).toEqual([true, true]);
  for (const other of ["ä\r\n", "\uFEFFä\n", "\uFEFFä\r\r", "\uFEFFä\r\n\n", ""])
    expect(holdsText(path, other), JSON.stringify(other)).toBe(false);
});

test("what is no file holds no text, and nobody waits for it", () => {
  const folder = privateFolder();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const name of [".", "pipe", "missing", "missing/below"])
    expect(holdsText(join(folder, name), ""), name).toBe(false);
});
