import { isAscii } from "node:buffer";

/** A message is a few names and some texts; what has more parts, or more in one another, is none. */
export const jsonLimits = { parts: 20_000, depth: 100 } as const;

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
/** Brackets differ from braces in one bit. */
const [opening, closing, either] = [0x5b, 0x5d, ~0x20];

/**
 * `JSON.parse` for a message of an agent: one of millions of parts, for which `JSON.parse` needs seconds, is refused
 * before it is parsed.
 * @param bytes valid UTF-8
 * @throws SyntaxError when it is no JSON, RangeError when it is over a limit; neither quotes any of it
 */
export function parseMessageJson(bytes: Buffer): unknown {
  checkLimits(bytes);
  try {
    // Code is ASCII more often than not, for which Node.js is several times faster with this name.
    return JSON.parse(bytes.toString(isAscii(bytes) ? "latin1" : "utf8"));
  } catch (error) {
    // Without the text that `JSON.parse` quotes.
    throw new SyntaxError("it breaks off, or has a character where none belongs", { cause: error });
  }
}

function checkLimits(bytes: Buffer): void {
  let [parts, depth] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const bracket = byte & either;
    if (byte === quote) at = endOfString(bytes, at + 1);
    if (bracket === closing) depth -= 1;
    if (bracket === opening) depth += 1;
    if (bracket === opening || byte === comma) parts += 1;
    if (parts > jsonLimits.parts) throw new RangeError(`it has more than ${jsonLimits.parts} parts`);
    if (depth > jsonLimits.depth) throw new RangeError(`it is nested deeper than ${jsonLimits.depth}`);
  }
}

/** @returns where the quotation mark is that ends it, or where the bytes end */
function endOfString(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
