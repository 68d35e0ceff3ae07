import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { maxImageBytes, readFileText, readStamp, toFileText } from "./file-text.ts";

function fileOf(content: string | Buffer): string {
  const path = join(privateFolder(), "file");
  writeFileSync(path, content);
  return path;
}

test.each([
  ["CRLF", "a\r\nb\r\n"],
  ["mixed endings and no last newline", "a\r\nb\nc\rd"],
  ["a byte order mark", "\uFEFFa\n"],
  ["a single NUL", `${"text ".repeat(20)}\0 and more`],
  ["tabs, escapes and form feeds", "\ta\u001b[1m\f\n"],
  ["nothing", ""],
  ["all planes", "é 漢 🎉\n"],
])("a text with %s comes as it is on disk", async (_name, text) => {
  const path = fileOf(text);
  const size = Buffer.byteLength(text);
  expect(await readFileText(path)).toEqual({
    kind: "text",
    text,
    exact: true,
    size,
    stamp: expect.any(String),
  });
});

test("a text in another encoding is shown, and marked as inexact", async () => {
  const path = fileOf(Buffer.from("Übergröße\n", "latin1"));
  expect(await readFileText(path)).toMatchObject({
    kind: "text",
    exact: false,
    text: "\uFFFDbergr\uFFFD\uFFFDe\n",
  });
});

test("UTF-16 is read by its byte order mark, and data that begin like it are not", () => {
  const little = Buffer.from("\uFEFFlines\r\n😀", "utf16le");
  for (const bytes of [little, Buffer.from(little).swap16()])
    expect(toFileText(bytes, "s")).toMatchObject({ kind: "text", text: "\uFEFFlines\r\n😀", exact: true });
  const data = ["fffe00d8", "fffe610000", "fffe0000610000000000", "fffb90640000"];
  for (const hex of data)
    expect(toFileText(Buffer.from(hex, "hex"), "s"), hex).not.toMatchObject({ exact: true });
});

test("data are named, not shown", () => {
  expect(toFileText(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0xff]), "s")).toEqual({
    kind: "binary",
    size: 8,
    stamp: "s",
  });
  expect(toFileText(Buffer.from("utf-16 text", "utf16le"), "s")).toMatchObject({ kind: "binary" });
  expect(toFileText(Buffer.alloc(100), "s")).toMatchObject({ kind: "binary" });
});

test("a NUL late in a large text does not make it data", () => {
  const bytes = Buffer.concat([Buffer.alloc(10_000, "a"), Buffer.from([0, 0xff])]);
  expect(toFileText(bytes, "s")).toMatchObject({ kind: "text", exact: false });
});

test("a text over the limit tells its size", async () => {
  const path = fileOf("12345");
  expect(await readFileText(path, { limit: 5 })).toMatchObject({ kind: "text" });
  expect(await readFileText(path, { limit: 4 })).toMatchObject({ kind: "too-large", size: 5, limit: 4 });
});

test("20 MB are served, one byte more is too large", async () => {
  const path = fileOf("");
  truncateSync(path, 20 * 1024 * 1024 + 1);
  expect(await readFileText(path)).toMatchObject({ kind: "too-large", size: 20_971_521, limit: 20_971_520 });
});

test("a folder, a missing file and a path through a file are distinguished", async () => {
  const path = fileOf("");
  mkdirSync(`${path}-folder`);
  expect(await readFileText(`${path}-folder`)).toEqual({ kind: "folder" });
  expect(await readFileText(`${path}-new`)).toEqual({ kind: "missing" });
  expect(await readFileText(join(path, "below"))).toEqual({ kind: "missing" });
});

test.skipIf(process.platform === "win32")("a named pipe is not opened: it would hang", async () => {
  const path = join(privateFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  expect(await readFileText(path)).toEqual({ kind: "unreadable", reason: "It is a named pipe, not a file." });
});

test.skipIf(process.platform === "win32")("sockets and devices are not opened", async () => {
  const path = join(privateFolder(), "socket");
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    server.close();
  });
  expect(await readFileText(path)).toMatchObject({ reason: "It is a socket, not a file." });
  expect(await readFileText("/dev/zero")).toMatchObject({ reason: "It is a device, not a file." });
});

test.skipIf(process.platform === "win32")("a link is only followed where that is wanted", async () => {
  const path = fileOf("text");
  symlinkSync(path, `${path}-link`);
  symlinkSync(`${path}-loop`, `${path}-loop`);
  expect(await readFileText(`${path}-link`)).toMatchObject({ kind: "text", text: "text" });
  expect(await readFileText(`${path}-link`, { followLinks: false })).toMatchObject({ kind: "unreadable" });
  expect(await readFileText(`${path}-loop`)).toMatchObject({ kind: "unreadable" });
});

test.skipIf(process.platform === "win32")("a file that may not be read says so", async () => {
  const path = fileOf("secret");
  chmodSync(path, 0o000);
  const user = process.geteuid?.();
  if (user === 0) process.seteuid?.("nobody"); // to root nothing is denied
  try {
    expect(await readFileText(path)).toEqual({ kind: "unreadable", reason: "Permission denied." });
  } finally {
    if (user === 0) process.seteuid?.(user);
  }
});

test("the stamp changes with the content and is the text's own", async () => {
  const path = fileOf("one");
  const before = await readStamp(path);
  expect(await readFileText(path)).toMatchObject({ stamp: before });
  writeFileSync(path, "three");
  expect(statSync(path).size).toBe(5);
  expect(await readStamp(path)).not.toBe(before);
  expect(await readStamp(`${path}-new`)).toBeUndefined();
});

test("an image is recognised by its bytes and comes with them; one that is too large comes with the limit", () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452ff", "hex");
  expect(toFileText(png, "s")).toEqual({
    kind: "binary",
    size: 17,
    stamp: "s",
    image: { type: "image/png", base64: png.toString("base64") },
  });
  expect(toFileText(Buffer.concat([png, Buffer.alloc(maxImageBytes)]), "s")).toMatchObject({
    kind: "binary",
    image: { limit: maxImageBytes },
  });
  expect(toFileText(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "s")).toMatchObject({
    kind: "text",
  });
});
