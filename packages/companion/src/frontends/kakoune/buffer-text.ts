/**
 * The text that a buffer stands for. Kakoune keeps line ends and a byte order mark as they are, but ends the last
 * line of every file that it writes.
 * @param written as Kakoune has written the buffer
 * @param proposed as it was given to Kakoune
 */
export function toProposedText(written: string, proposed: string): string {
  if (proposed.endsWith("\n")) return written;
  if (written === `${proposed}\n` || written === `${proposed}\r\n`) return proposed;
  return written.replace(proposed.includes("\r\n") ? /\r?\n$/ : /\n$/, "");
}
