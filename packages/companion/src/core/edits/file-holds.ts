import { readFileSync, statSync } from "node:fs";

/**
 * Whether a file holds a text byte for byte; one that cannot be read does not. It is read at once, and only
 * when it is as long as the text: an answer that came later could be about another text.
 */
export function holdsText(filePath: string, text: string): boolean {
  if (!hasLength(filePath, Buffer.byteLength(text))) return false;
  try {
    return readFileSync(filePath).equals(Buffer.from(text));
  } catch {
    return false; // unreadable
  }
}

/** Whether a regular file is this long. Opening a pipe or a device would wait for somebody else. */
export function hasLength(filePath: string, bytes: number): boolean {
  try {
    const stat = statSync(filePath, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size === bytes;
  } catch {
    return false; // below what is no folder, or out of reach
  }
}
