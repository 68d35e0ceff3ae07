import { isAscii } from "node:buffer";
import { randomUUID } from "node:crypto";
import { createYielder, type Yielder } from "../system/yielder.ts";

/** A message is a few names and one long text, or some; what has more besides, or more in one another, is none. */
export const jsonLimits = {
  parts: 20_000,
  depth: 100,
  /** Bytes that are in no long string. */
  rest: 1024 * 1024,
} as const;

/** From this many bytes on a string is decoded alone, in slices of as many. */
const longString = 16 * 1024;

/** Up to this many bytes, within the limits, `JSON.parse` keeps nobody waiting and is the fastest. */
const quickBytes = 12 * 1024 * 1024;

/**
 * `JSON.parse` that lets others have their turn: a long text stops nobody for longer than a moment, and one
 * of millions of parts, for which `JSON.parse` would need a minute, is refused.
 * @param bytes valid UTF-8
 * @param quick up to so many bytes it is read at once when it is within the limits
 * @throws SyntaxError when it is no JSON, RangeError when it is over a limit; neither quotes any of it
 */
export async function parseJsonIncrementally(bytes: Buffer, quick = quickBytes): Promise<unknown> {
  const yielder = createYielder();
  const spans = await findLongStrings(bytes, yielder);
  if (spans.length === 0 || bytes.length <= quick) return parse(toText(bytes));
  const texts: string[] = [];
  for (const span of spans) texts.push(await decode(bytes, span, yielder));
  // Instead of each long string stands a name that nobody can have guessed.
  const name = randomUUID();
  const rest: string[] = [];
  let end = 0;
  for (const [index, span] of spans.entries()) {
    rest.push(toText(bytes.subarray(end, span.start)), `${name}${index}`);
    end = span.end;
  }
  rest.push(toText(bytes.subarray(end)));
  return parse(rest.join(""), (_, value) =>
    typeof value === "string" && value.startsWith(name) ? texts[Number(value.slice(name.length))] : value,
  );
}

/** Bytes between two quotation marks. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Looks at what a text is made of without making it. */
async function findLongStrings(bytes: Buffer, yielder: Yielder): Promise<readonly Span[]> {
  const spans: Span[] = [];
  let [parts, depth, inStrings] = [0, 0, 0];
  let last: Span | undefined;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      const end = nearEndOfString(bytes, at + 1) ?? (await endOfString(bytes, at + 1, yielder));
      last = { start: at + 1, end };
      if (end - at > longString) {
        spans.push(last);
        inStrings += end - at;
      }
      at = end;
    } else if (byte === comma || opening.has(byte)) {
      parts += 1;
      if (opening.has(byte)) depth += 1;
      if (parts > jsonLimits.parts) throw new RangeError(`it has more than ${jsonLimits.parts} parts`);
      if (depth > jsonLimits.depth) throw new RangeError(`it is nested deeper than ${jsonLimits.depth}`);
    } else if (closing.has(byte)) {
      depth -= 1;
    } else if (byte === colon && last !== undefined && last === spans.at(-1)) {
      throw new RangeError(`a name in it is longer than ${longString} bytes`);
    }
    if (at - inStrings > jsonLimits.rest) {
      throw new RangeError(`it has more than ${jsonLimits.rest} bytes besides its long texts`);
    }
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  return spans;
}

/** Bytes that are looked at one by one: for most strings nobody has to wait, and where there is one escape there are others. */
const near = 64;

/** @returns where the quotation mark is that ends it; undefined when it is not near */
function nearEndOfString(bytes: Buffer, start: number): number | undefined {
  for (let at = start; at < start + near; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return undefined;
}

/** @returns where the quotation mark is that ends it */
async function endOfString(bytes: Buffer, start: number, yielder: Yielder): Promise<number> {
  for (let at = start; ; ) {
    const end = nearEndOfString(bytes, at);
    if (end !== undefined) return end;
    at = bytes.indexOf(quote, at + near);
    if (at < 0) throw new SyntaxError("a string in it has no end");
    if (backslashesBefore(bytes, at, start) % 2 === 0) return at;
    at += 1;
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
}

function backslashesBefore(bytes: Buffer, end: number, start: number): number {
  let at = end;
  while (at > start && bytes[at - 1] === backslash) at -= 1;
  return end - at;
}

async function decode(bytes: Buffer, { start, end }: Span, yielder: Yielder): Promise<string> {
  let text = "";
  for (let at = start; at < end; ) {
    const cut = end - at <= longString ? end : cutBefore(bytes, at + longString, at);
    // Not joined: that copies all of it at once, and the reader does so anyway.
    text += parse(`"${toText(bytes.subarray(at, cut))}"`);
    at = cut;
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  return text;
}

/** The last place at or before `at` that divides neither a character nor an escape. */
function cutBefore(bytes: Buffer, at: number, start: number): number {
  let cut = at;
  while (((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  // Within `\uXXXX`, or right behind the backslash: before it.
  for (let back = 1; back <= 5; back += 1) {
    const isEscape = backslashesBefore(bytes, cut - back + 1, start) % 2 === 1;
    if (isEscape && (back === 1 || bytes[cut - back + 1] === 0x75)) return cut - back;
  }
  return cut;
}

/** Code is ASCII more often than not, for which Node.js is several times faster with this name. */
function toText(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** Without the text that `JSON.parse` would quote. */
function parse(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    throw new SyntaxError("it breaks off, or has a character where none belongs", { cause: error });
  }
}
