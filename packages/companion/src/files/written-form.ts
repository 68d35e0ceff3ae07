import { isUtf8 } from "node:buffer";
import { diffArrays } from "diff";
import { toComparable, toFormOf, withoutMark } from "./comparable-text.ts";

/** Milliseconds for comparing texts that have little in common. */
const comparingTime = 2000;

/**
 * A text as the bytes that it has in a file: in the file's encoding, with its byte order mark and line endings. Of a file
 * in an encoding that is not known, the lines that stay keep their bytes.
 * @param before the file's bytes; undefined when there is none
 * @throws Error with a sentence about `it`, when a line that changes has characters whose bytes are not known
 */
export function toWrittenBytes(before: Buffer | undefined, text: string): Buffer {
  if (before === undefined) return Buffer.from(text);
  const onDisk = decodeExactly(before);
  if (onDisk === undefined) return keepBytes(before, toWrittenForm(before.toString("utf8"), text));
  const written = toWrittenForm(onDisk, text);
  return isUtf8(before) ? Buffer.from(written) : toUtf16(written, isBigEndian(before));
}

/** The text of UTF-8, or of UTF-16 that begins with its byte order mark; undefined for all other bytes. */
export function decodeExactly(bytes: Buffer): string | undefined {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  const mark = bytes.toString("latin1", 0, 2);
  if (mark !== "\xff\xfe" && mark !== "\xfe\xff") return undefined;
  const label = isBigEndian(bytes) ? "utf-16be" : "utf-16le";
  const text = new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
  // The latter is UTF-32, or no text.
  const isExact = !text.includes("\0") && toUtf16(text, isBigEndian(bytes)).equals(bytes);
  return isExact ? text : undefined;
}

/** As people are shown it: bytes of an unknown encoding as U+FFFD. */
export const toReadableText = (bytes: Buffer): string => decodeExactly(bytes) ?? bytes.toString("utf8");

const isBigEndian = (bytes: Buffer) => bytes[0] === 0xfe;

function toUtf16(text: string, bigEndian: boolean): Buffer {
  const bytes = Buffer.from(text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
}

/** The encodings of old files, as far as they are in use. */
const legacyEncodings = ["gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "koi8-r", "windows-1252"]
  .concat(["windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256"])
  .concat([
    "windows-1257",
    "windows-1258",
    "windows-874",
    "iso-8859-2",
    "iso-8859-15",
    "utf-16le",
    "utf-16be",
  ]);

/** Every text that a file's bytes may stand for: an agent may know its encoding. */
export function* possibleTexts(bytes: Buffer): Generator<string> {
  yield bytes.toString("utf8");
  if (isUtf8(bytes)) return;
  for (const label of legacyEncodings) yield new TextDecoder(label, { ignoreBOM: true }).decode(bytes);
}

/**
 * Lines that are the same keep their bytes.
 * @param text decoded as UTF-8, its unknown bytes as U+FFFD
 */
function keepBytes(before: Buffer, text: string): Buffer {
  const former = linesOf(before);
  const names = former.map((line) => line.toString("utf8"));
  const blocks = diffArrays(names, text.match(/[^\n]*\n|[^\n]+/g) ?? [], { timeout: comparingTime });
  if (!blocks) throw new Error("it is not UTF-8, and most of it changes");
  const written: Buffer[] = [];
  let at = 0;
  for (const { value, added, removed } of blocks) {
    if (added && value.some((line) => /[^\0-\x7f]/.test(line)))
      throw new Error("it is not UTF-8, and lines with other characters than those of ASCII change");
    if (removed && value.some((_, index) => isAmbiguous(former, names, at + index)))
      throw new Error("it is not UTF-8, and lines change that differ only in bytes that cannot be shown");
    if (added) written.push(...value.map((line) => Buffer.from(line)));
    else if (!removed) written.push(...former.slice(at, at + value.length));
    if (!added) at += value.length;
  }
  return Buffer.concat(written);
}

/** Another line looks like this one and is not the same: which of them has changed is not known. */
function isAmbiguous(lines: readonly Buffer[], names: readonly string[], index: number): boolean {
  return lines.some((line, at) => names[at] === names[index] && !line.equals(lines[index] ?? line));
}

/** Each with its end. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start) + 1 || bytes.length;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

/**
 * A text as it is written over a file: with the byte order mark and the line endings that this has. Where it mixes them,
 * its lines keep theirs, and additional ones get the most common.
 */
export function toWrittenForm(onDisk: string, text: string): string {
  const { lineEndings, byteOrderMark } = toComparable(onDisk, text);
  const before = byteOrderMark ? withoutMark(onDisk) : onDisk;
  return toFormOf(onDisk, lineEndings === "mixed" ? keepLineEnds(before, text, /\r?\n/) : text);
}

/**
 * A text with the line ends of another one: lines that stay or are replaced keep theirs, and additional ones get the
 * most common, the shortest of several.
 * @param lineEnd what ends a line in either
 */
export function keepLineEnds(before: string, text: string, lineEnd: RegExp): string {
  const every = new RegExp(lineEnd, "g");
  const ends: readonly string[] = before.match(every) ?? [];
  const count = (end: string) => ends.filter((each) => each === end).length;
  const kinds = [...new Set(ends)].sort((one, other) => one.length - other.length);
  const [usual] = kinds.sort((one, other) => count(other) - count(one));
  if (usual === undefined) return text;
  if (kinds.length === 1) return text.replaceAll(every, usual);
  const [former, lines] = [before.split(lineEnd), text.split(lineEnd)];
  const blocks = diffArrays(former, lines, { timeout: comparingTime }) ?? [
    { value: former, removed: true, added: false },
    { value: lines, removed: false, added: true },
  ];
  const chosen: string[] = [];
  let at = 0;
  /** Of lines that others replace. */
  let free: readonly string[] = [];
  for (const { value, removed, added } of blocks) {
    const own = added ? free : ends.slice(at, at + value.length);
    free = removed ? own : [];
    if (!added) at += value.length;
    if (!removed) chosen.push(...value.map((_, index) => own[index] ?? usual));
  }
  const written: string[] = [];
  for (const [index, line] of lines.entries()) {
    const end = index < lines.length - 1 ? (chosen[index] ?? usual) : "";
    // After a carriage return, the line feed of an empty line would be one line end with it.
    const merges = end === "\n" && line === "" && written.at(-1)?.endsWith("\r");
    written.push(line + (merges ? "\r" : end));
  }
  return written.join("");
}
