import type { Yielder } from "../system/yielder.ts";

/** A value whose JSON stands as a text within another JSON. */
export class EmbeddedJson {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** What `JSON.stringify` makes of it. */
  toJSON(): string {
    return JSON.stringify(this.value);
  }
}

/** UTF-16 units of a string from which on it is encoded in slices. */
const longString = 256 * 1024;
/** UTF-16 units of a slice. */
const sliceLength = 16 * 1024;
/** The least bytes of a piece but the last. */
const pieceBytes = 1024 * 1024;

/** Whether `JSON.stringify` would keep others waiting: there is a long string in the value. */
export function isLarge(value: unknown): boolean {
  if (typeof value === "string") return value.length > longString;
  if (value instanceof EmbeddedJson) return isLarge(value.value);
  return typeof value === "object" && value !== null && Object.values(value).some(isLarge);
}

/**
 * The bytes of `JSON.stringify(value)`, in pieces between which others have their turn.
 * @param value a few names and some texts, which may be long
 */
export async function toJsonBytes(value: unknown, yielder: Yielder): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  let waiting: Buffer[] = [];
  let length = 0;
  // Few large pieces are written sooner than many small ones.
  const gather = () => {
    pieces.push(Buffer.concat(waiting, length));
    waiting = [];
    length = 0;
  };
  for (const text of textsOf(value)) {
    const bytes = Buffer.from(text);
    waiting.push(bytes);
    length += bytes.length;
    if (length >= pieceBytes) gather();
    if (yielder.isDue()) await yielder.yieldToEventLoop();
  }
  gather();
  return pieces;
}

/** JSON in pieces, none of which ends within a character or an escape. */
function* textsOf(value: unknown): Generator<string> {
  if (!isLarge(value)) {
    yield JSON.stringify(value);
  } else if (typeof value === "string") {
    yield '"';
    for (const slice of slicesOf(value)) yield inner(slice);
    yield '"';
  } else if (value instanceof EmbeddedJson) {
    yield '"';
    for (const text of textsOf(value.value)) yield inner(text);
    yield '"';
  } else if (Array.isArray(value)) {
    yield* listOf(
      "[",
      value.map((item) => ["", item ?? null]),
      "]",
    );
  } else if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    yield* listOf(
      "{",
      entries.map(([name, item]) => [`${JSON.stringify(name)}:`, item]),
      "}",
    );
  }
}

function* listOf(
  start: string,
  items: readonly (readonly [string, unknown])[],
  end: string,
): Generator<string> {
  yield start;
  for (const [index, [name, item]] of items.entries()) {
    yield `${index === 0 ? "" : ","}${name}`;
    yield* textsOf(item);
  }
  yield end;
}

function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = Math.min(text.length, at + sliceLength);
    const last = text.charCodeAt(end - 1);
    // The half of a pair would be escaped.
    const splitsPair = last >= 0xd800 && last <= 0xdbff && end < text.length;
    yield text.slice(at, splitsPair ? end - 1 : end);
    at = splitsPair ? end - 1 : end;
  }
}

const inner = (text: string) => JSON.stringify(text).slice(1, -1);
