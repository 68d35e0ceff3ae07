import { withoutMark } from "../../files/comparable-text.ts";
import { hashOf } from "../../files/text-hash.ts";
import { possibleTexts } from "../../files/written-form.ts";

/**
 * By what a text is known that a user has accepted. The agent may write it with other line ends, or without its byte
 * order mark or last newline.
 */
export const toAcceptedHash = (text: string): string =>
  hashOf(withoutMark(text).replaceAll("\r\n", "\n").replace(/\n$/, ""));

/** @param bytes of a file, one character each */
export function holdsAccepted(bytes: string, hash: string): boolean {
  for (const text of possibleTexts(Buffer.from(bytes, "latin1")))
    if (toAcceptedHash(text) === hash) return true;
  return false;
}
