import { readFileSync, statSync } from "node:fs";
import { toComparable } from "../../files/comparable-text.ts";

/**
 * Whether a file holds a text: byte for byte, or with the line ends and the byte order mark that agents put back
 * when they write a text into a file that has them. A file that cannot be read does not. It is read at once: an
 * answer that came later could be about another text.
 */
export function holdsText(filePath: string, text: string): boolean {
  if (!couldHold(filePath, Buffer.byteLength(text))) return false;
  try {
    const bytes = readFileSync(filePath);
    return bytes.equals(Buffer.from(text)) || toComparable(bytes.toString(), text).text === text;
  } catch {
    return false; // unreadable
  }
}

/**
 * Whether a regular file is as long as a text of so many bytes, or longer by what may be put back: a byte for each
 * line end, and three. Opening a pipe or a device would wait for somebody else.
 */
export function couldHold(filePath: string, bytes: number): boolean {
  try {
    const stat = statSync(filePath, { throwIfNoEntry: false });
    return stat?.isFile() === true && stat.size >= bytes && stat.size <= 2 * bytes + 3;
  } catch {
    return false; // below what is no folder, or out of reach
  }
}
