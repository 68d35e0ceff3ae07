import { closeSync, openSync, readSync } from "node:fs";
import type { FileKind } from "../../files/file-stamp.ts";

const mark = "\uFEFF";

/**
 * Gives a proposal back the byte order mark that its file on disk has and its agent forgot; the user sees
 * it in the diff and may still delete it.
 * @see docs/reference/contract.md#4-diffs
 */
export function withByteOrderMark(filePath: string, kind: FileKind, newContent: string): string {
  // Opening a pipe or a device would wait for somebody else.
  if (kind !== "file" || newContent === "" || newContent.startsWith(mark)) return newContent;
  return startsWithMark(filePath) ? mark + newContent : newContent;
}

/** Three bytes are read sooner than a thread could be asked to. */
function startsWithMark(filePath: string): boolean {
  try {
    const file = openSync(filePath, "r");
    try {
      const bytes = Buffer.alloc(3);
      return readSync(file, bytes) === 3 && bytes.toString("utf8") === mark;
    } finally {
      closeSync(file);
    }
  } catch {
    return false; // unreadable: the editor says so, next to the proposal
  }
}
