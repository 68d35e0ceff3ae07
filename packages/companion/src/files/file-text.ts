import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { codeOf, messageOf } from "../system/error-message.ts";
import { type FileLook, lookAt } from "./file-stamp.ts";
import { decodeExactly } from "./written-form.ts";

/** A file's text, or why there is none to show. */
export type FileText =
  | {
      readonly kind: "text";
      readonly text: string;
      /** False when the bytes are neither UTF-8 nor marked as UTF-16, and `text` is an approximation. */
      readonly exact: boolean;
      /** Bytes. */
      readonly size: number;
      /** Changes with every change on disk. */
      readonly stamp: string;
    }
  | {
      readonly kind: "binary";
      readonly size: number;
      readonly stamp: string;
      readonly image?: FileImage;
    }
  | { readonly kind: "too-large"; readonly size: number; readonly limit: number; readonly stamp: string }
  | { readonly kind: "missing" }
  | { readonly kind: "folder" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** Bytes of the longest text that is shown. */
const maxTextBytes = 20 * 1024 * 1024;

/** Bytes that are looked at to tell text from other data. */
const sampleBytes = 8192;

/**
 * A file's text exactly as it is on disk: line endings, byte order mark and all. At once: a decision is about the text
 * that the file holds at that moment. Only regular files are opened: a pipe would hang, a device might do things.
 * @param path absolute; when it comes from `confine`, `followLinks: false` keeps it where it was found.
 */
export function readFileNow(path: string, { followLinks = true, limit = maxTextBytes } = {}): FileNow {
  const { stamp, isFresh } = lookAt(path);
  try {
    const file = whyNoText(statSync(path), limit) ?? readRegularFile(path, followLinks, limit);
    return { stamp, isFresh, file };
  } catch (error) {
    return { stamp, isFresh, file: whyUnread(error) };
  }
}

/** Reads the text of a file alone, without its stamp. */
export const readFileText = async (...which: Parameters<typeof readFileNow>): Promise<FileText> =>
  readFileNow(...which).file;

/** A file, and the stamp by which `fileStampOf` tells that it has changed since. */
export interface FileNow extends Pick<FileLook, "stamp" | "isFresh"> {
  readonly file: FileText;
}

/** Changes with every change of a regular file, and with every entry that comes to or leaves a folder. */
export async function readStamp(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() || stats.isDirectory() ? stampOf(stats) : undefined;
  } catch {
    return undefined; // not there, or not to be reached: nothing to tell a change by
  }
}

// Missing on Windows, which has neither pipes in the file system nor links that anybody may make.
const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

function readRegularFile(path: string, followLinks: boolean, limit: number): FileText {
  const file = openSync(path, O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW));
  try {
    const stats = fstatSync(file);
    return whyNoText(stats, limit) ?? toText(readFileSync(file), stats, limit);
  } finally {
    closeSync(file);
  }
}

/** Why there is no text to read; undefined when there is. */
function whyNoText(stats: Stats, limit: number): FileText | undefined {
  if (stats.isDirectory()) return { kind: "folder" };
  if (!stats.isFile()) return { kind: "unreadable", reason: `It is ${nameOfKind(stats)}, not a file.` };
  if (stats.size > limit) return { kind: "too-large", size: stats.size, limit, stamp: stampOf(stats) };
  return undefined;
}

function toText(bytes: Buffer, stats: Stats, limit: number): FileText {
  const stamp = stampOf(stats);
  return bytes.length > limit
    ? { kind: "too-large", size: bytes.length, limit, stamp }
    : toFileText(bytes, stamp);
}

/** Pure: what the bytes of a file are shown as. */
export function toFileText(bytes: Buffer, stamp: string): FileText {
  const size = bytes.length;
  const decoded = decodeExactly(bytes);
  const exact = decoded !== undefined;
  const text = decoded ?? bytes.toString("utf8");
  const sample = bytes.subarray(0, sampleBytes);
  const image = exact ? undefined : toFileImage(bytes);
  if (image || (!exact && sample.includes(0)) || isMostlyControl(text.slice(0, sampleBytes))) {
    return { kind: "binary", size, stamp, ...(image ? { image } : {}) };
  }
  return { kind: "text", text, exact, size, stamp };
}

function isMostlyControl(sample: string): boolean {
  // Not backspace, tab, line feed, vertical tab, form feed, carriage return, escape: seen in real texts and logs.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is counted
  const count = sample.match(/[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]/g)?.length ?? 0;
  // A third: UTF-16 without its mark has a NUL for every other byte, a text with stray controls far fewer.
  return count * 3 > sample.length;
}

function stampOf(stats: Stats): string {
  return `${stats.mtimeMs}-${stats.size}-${stats.ino}`;
}

function nameOfKind(stats: Stats): string {
  if (stats.isFIFO()) return "a named pipe";
  if (stats.isSocket()) return "a socket";
  return "a device";
}

function whyUnread(error: unknown): FileText {
  const code = codeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
  if (code === "EACCES" || code === "EPERM") return { kind: "unreadable", reason: "Permission denied." };
  if (code === "ELOOP") return { kind: "unreadable", reason: "Its symbolic link leads nowhere." };
  return { kind: "unreadable", reason: messageOf(error) };
}

/** Bytes of the largest image that is shown. */
export const maxImageBytes = 5 * 1024 * 1024;

/** How files begin that the page's own `<img>` may be given: pixels only. An SVG is a text. */
const signatures = [
  { type: "image/png", marks: { 0: "\x89PNG\r\n\x1a\n" } },
  { type: "image/jpeg", marks: { 0: "\xff\xd8\xff" } },
  { type: "image/gif", marks: { 0: "GIF8" } },
  { type: "image/webp", marks: { 0: "RIFF", 8: "WEBP" } },
  { type: "image/avif", marks: { 4: "ftypavif" } },
  { type: "image/bmp", marks: { 0: "BM", 6: "\0\0\0\0" } },
  { type: "image/x-icon", marks: { 0: "\0\0\x01\0" } },
] as const;

/** An image that a page can show, with its MIME type; with the limit alone, in bytes, it is too large to be sent. */
export type FileImage = { readonly type: string; readonly base64: string } | { readonly limit: number };

/** The image that a file's bytes are, recognised by how they begin and not by its name. */
function toFileImage(bytes: Buffer): FileImage | undefined {
  const head = bytes.toString("latin1", 0, 16);
  const found = signatures.find(({ marks }) =>
    Object.entries(marks).every(([at, mark]) => head.startsWith(mark, Number(at))),
  );
  if (!found) return undefined;
  if (bytes.length > maxImageBytes) return { limit: maxImageBytes };
  return { type: found.type, base64: bytes.toString("base64") };
}
