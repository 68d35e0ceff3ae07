import { execFileSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { fileStampOf } from "../../files/file-stamp.ts";
import { FileCheck, holdsText } from "./file-check.ts";

test("a file holds a text when it does so byte for byte, by whatever link it is reached", () => {
  const folder = privateFolder();
  const path = join(folder, "a");
  const text = "\uFEFFä\r\n";
  writeFileSync(path, text);
  symlinkSync("a", join(folder, "link"));
  expect([path, join(folder, "link")].map((each) => holdsText(each, text))).toEqual([true, true]);
  for (const other of ["\uFEFFä\r\r", "\uFEFFä\r\n\n", "\uFEFFa\r\n", "ä", ""])
    expect(holdsText(path, other), JSON.stringify(other)).toBe(false);
});

test.each([
  ["line ends", "a\r\nb\r\n", "a\nb\n"],
  ["some line ends", "a\r\nb\n", "a\nb\n"],
  ["the byte order mark", "\uFEFFa\n", "a\n"],
  ["both", "\uFEFFa\r\nb", "a\nb"],
])("a file holds a text into which its agent has put back %s", (_, onDisk, accepted) => {
  const path = join(privateFolder(), "a");
  writeFileSync(path, onDisk);
  expect(holdsText(path, accepted)).toBe(true);
  writeFileSync(path, accepted);
  // What the user has put in is not to be taken out again.
  expect(holdsText(path, onDisk)).toBe(false);
});

test.each([
  ["GBK", "d6d0cec40a", "中文\n"],
  ["Shift JIS and CRLF", "93fa967b0d0a", "日本\n"],
  ["Latin-1", "e90a", "é\n"],
  ["UTF-16", "fffe2d4e0d000a00", "中\n"],
  ["UTF-16 without a mark", "2d4e87650a00", "中文\n"],
  ["an encoding that nobody knows", "e90a", "\uFFFD\n"],
])("an agent that keeps the encoding of a file, as %s, has written its text", (_, bytes, text) => {
  const path = join(privateFolder(), "a");
  writeFileSync(path, Buffer.from(bytes, "hex"));
  expect(holdsText(path, text)).toBe(true);
  expect(holdsText(path, `${text}x`)).toBe(false);
});

test("what is no file holds no text, and nobody waits for it", () => {
  const folder = privateFolder();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  for (const name of [".", "pipe", "missing", "missing/below"])
    expect(holdsText(join(folder, name), ""), name).toBe(false);
});

test("a file that is never written is reported after two seconds, and looked at for ten minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const filePath = join(privateFolder(), "a");
  const onResult = vi.fn();
  const onEnd = vi.fn();
  const check = new FileCheck({ filePath, text: "new", stamp: fileStampOf(filePath), onResult, onEnd });
  await vi.advanceTimersByTimeAsync(1_900);
  expect(onResult).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(150);
  expect(onResult.mock.calls).toEqual([["not-written"]]);
  await vi.advanceTimersByTimeAsync(9 * 60_000);
  expect(onResult).toHaveBeenCalledOnce();
  expect(onEnd).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(onEnd).toHaveBeenCalledOnce();
  check.stop();
});
