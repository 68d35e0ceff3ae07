import { readFileSync } from "node:fs";
import { z } from "zod";

/** Header names in lower case. */
const Headers = z.record(z.string(), z.string());

const Side = z.enum(["cli", "companion"]);

/** What the user did in the editor, between messages; the test that plays a recording performs it. */
const UserAction = z.discriminatedUnion("action", [
  /** Looks at files: an `EditorContext` of the companion. */
  z.strictObject({ action: z.literal("focus"), context: z.unknown() }),
  z.strictObject({ action: z.literal("edit"), path: z.string(), text: z.string() }),
  z.strictObject({ action: z.literal("accept"), path: z.string() }),
  z.strictObject({ action: z.literal("reject"), path: z.string() }),
]);
export type UserAction = z.infer<typeof UserAction>;

/** In place of a method: a connection whose messages have their lengths in front, and that begins without a head. */
export const framesMethod = "FRAMES";

/**
 * One thing that happened. `on` numbers the exchange: a request with its answer, a stream, or a socket with all of its
 * frames. Bodies, events and frames are JSON values where they are JSON, else strings.
 */
export const Entry = z.union([
  z.strictObject({ user: UserAction }),
  /** A file has this content from now on: the user's, or what the CLI has written. */
  z.strictObject({ file: z.strictObject({ path: z.string(), text: z.string() }) }),
  /** The head of a request with its body; an upgrade is a request with the header `upgrade`. */
  z.strictObject({
    on: z.int(),
    request: z.strictObject({
      method: z.string(),
      path: z.string(),
      headers: Headers,
      body: z.unknown().optional(),
    }),
  }),
  /** The head of an answer; a stream and a socket have no body. */
  z.strictObject({
    on: z.int(),
    response: z.strictObject({ status: z.int(), headers: Headers, body: z.unknown().optional() }),
  }),
  /** An event that the companion sent on a stream. */
  z.strictObject({ on: z.int(), event: z.strictObject({ id: z.string().optional(), data: z.unknown() }) }),
  /** A message on a socket. */
  z.strictObject({ on: z.int(), from: Side, frame: z.unknown() }),
  /** One side has ended a stream or a socket; `code` is a WebSocket's. */
  z.strictObject({ on: z.int(), from: Side, close: z.strictObject({ code: z.int().optional() }) }),
]);
export type Entry = z.infer<typeof Entry>;

/** A part of an entry. */
export type Part<Key extends string> = Entry extends infer One
  ? One extends Record<Key, unknown>
    ? One
    : never
  : never;

/** What a companion sends in an exchange. */
export type Heard =
  | { readonly response: Part<"response">["response"] }
  | { readonly event: Part<"event">["event"] }
  | { readonly frame: unknown }
  | { readonly close: Part<"close">["close"] };

const Header = z.strictObject({
  agent: z.string(),
  /** Of the CLI, as it was installed. */
  version: z.string(),
  scenario: z.string(),
  /** `2026-11-23` */
  date: z.string(),
  transport: z.enum(["http", "websocket", "socket"]),
  /** Methods that notify of a state: only the newest matters, and a companion may send more of them. */
  states: z.array(z.string()).readonly(),
});
export type RecordingHeader = z.infer<typeof Header>;

/**
 * What passed between a real CLI and the companion, as JSON Lines: a header, then one entry a line. What differs
 * from machine to machine is a placeholder in braces:
 *
 * - `{workspace}`, `{home}`, `{tmp}`, `{port}`, `{pid}` and `{token.AGENT}` are values that the player is given;
 * - `{id.1}` is an identifier that the companion chose: the same number is the same identifier;
 * - `{number}` and `{string}` are any value of that type;
 * - an object with the key `…` may have further keys.
 */
export interface Recording {
  readonly header: RecordingHeader;
  readonly entries: readonly Entry[];
}

/** @throws Error for a file that is not a recording; it names the line */
export function readRecording(path: string): Recording {
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const parse = <Value>(type: z.ZodType<Value>, line: string, index: number): Value => {
    try {
      return type.parse(JSON.parse(line));
    } catch (cause) {
      throw new Error(`${path}:${index + 1} is not a part of a recording`, { cause });
    }
  };
  const [head = "", ...rest] = lines;
  return {
    header: parse(Header, head, 0),
    entries: rest.map((line, index) => parse(Entry, line, index + 1)),
  };
}

export function formatRecording({ header, entries }: Recording): string {
  return `${[header, ...entries].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** The message that an event or a frame holds. */
export const messageIn = (entry: Entry | Heard): unknown =>
  "event" in entry ? entry.event.data : "frame" in entry ? entry.frame : undefined;

/** Whether an event, or a frame, notifies of a state. */
export function isState(entry: Entry | Heard, states: readonly string[]): boolean {
  const message = messageIn(entry);
  if (typeof message !== "object" || message === null || !("method" in message)) return false;
  return states.some((method) => method === message.method);
}

/** A JSON value, or the text as it is. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
