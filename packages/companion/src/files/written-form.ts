import { isUtf8 } from "node:buffer";
import { toComparable, toFormOf, withoutMark } from "./comparable-text.ts";
import { diffLines, linesOf } from "./line-diff.ts";

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
const legacyEncodings = [
  ...["gb18030", "big5", "shift_jis", "euc-jp", "euc-kr", "koi8-r"],
  ...[1252, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258, 874].map((page) => `windows-${page}`),
  ...["iso-8859-2", "iso-8859-15", "utf-16le", "utf-16be"],
];

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
  // One character for each byte.
  const former = linesOf(before.toString("latin1"));
  const names = former.map((line) => Buffer.from(line, "latin1").toString("utf8"));
  const lines = linesOf(text);
  const written: string[] = [];
  let kept = 0;
  for (const { line, added, at, removed } of diffLines(names, lines)) {
    const fresh = lines.slice(line, line + added);
    if (fresh.some((one) => /[^\0-\x7f]/.test(one)))
      throw new Error("it is not UTF-8, and lines with other characters than those of ASCII change");
    const gone = former.slice(at, at + removed);
    // Another line looks like this one and is not the same: which of them has changed is not known.
    if (gone.some((one, index) => former.some((each, i) => names[i] === names[at + index] && each !== one)))
      throw new Error("it is not UTF-8, and lines change that differ only in bytes that cannot be shown");
    written.push(...former.slice(kept, at), ...fresh);
    kept = at + removed;
  }
  return Buffer.from([...written, ...former.slice(kept)].join(""), "latin1");
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
  const chosen: (string | undefined)[] = [];
  let kept = 0;
  for (const { line, added, at, removed } of diffLines(former, lines)) {
    chosen.push(...ends.slice(kept, at), ...ends.slice(at, at + Math.min(added, removed)));
    chosen.length = line + added;
    kept = at + removed;
  }
  chosen.push(...ends.slice(kept));
  const written: string[] = [];
  for (const [index, line] of lines.entries()) {
    const end = index < lines.length - 1 ? (chosen[index] ?? usual) : "";
    // After a carriage return, the line feed of an empty line would be one line end with it.
    const merges = end === "\n" && line === "" && written.at(-1)?.endsWith("\r");
    written.push(line + (merges ? "\r" : end));
  }
  return written.join("");
}
