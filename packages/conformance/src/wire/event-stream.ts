import type { IncomingMessage } from "node:http";
import { StringDecoder } from "node:string_decoder";
import { until } from "../until.ts";
import type { Evidence } from "./evidence.ts";
import { type Notification, parseJson, toNotification } from "./json-rpc.ts";

/** One server-sent event. */
export interface StreamEvent {
  /** What the stream's `id` field said, if this very event had one. */
  readonly id: string | undefined;
  readonly data: string;
  /** The data as JSON; undefined when it is none. */
  readonly value: unknown;
  /** The data as a notification, when it is one. */
  readonly notification: Notification | undefined;
  /** `performance.now()` when it came. */
  readonly at: number;
}

/** A stream of server-sent events, read as the HTML standard has it. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  readonly openedAt = performance.now();
  /** When the last bytes came, comments included; `performance.now()`. */
  lastSign = performance.now();
  /** Why it has ended; undefined while it is open. */
  end: string | undefined;
  /** Resolves when it has ended. */
  readonly closed: Promise<void>;
  readonly #response: IncomingMessage;
  readonly #evidence: Evidence;
  readonly #decoder = new StringDecoder("utf8");
  #text = "";
  #id: string | undefined;
  #data: string[] = [];

  constructor(response: IncomingMessage, evidence: Evidence) {
    this.#response = response;
    this.#evidence = evidence;
    response.on("data", (chunk: Buffer) => this.#take(this.#decoder.write(chunk)));
    this.closed = new Promise((resolve) => {
      response.once("close", () => {
        this.end ??= "the companion ended the stream";
        resolve();
      });
    });
  }

  /** The id that a client would name when it opens the stream again. */
  get lastEventId(): string | undefined {
    return this.events.findLast(({ id }) => id !== undefined)?.id;
  }

  /**
   * Resolves with the first thing that `search` finds, now or later; undefined after the deadline or the end of the stream.
   * @param within milliseconds
   */
  async find<T>(search: (stream: this) => T | undefined, within: number): Promise<T | undefined> {
    let found: T | undefined;
    await until(() => {
      found = search(this);
      return found !== undefined || this.end !== undefined;
    }, within);
    return found;
  }

  /** Listens for some more milliseconds. */
  async listen(milliseconds: number): Promise<void> {
    await this.find(() => undefined, milliseconds);
  }

  /** Disconnects, as a client that is killed does. */
  cut(): void {
    this.end ??= "we disconnected";
    this.#response.destroy();
  }

  #take(text: string): void {
    this.lastSign = performance.now();
    this.#text += text;
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(this.#text);
      if (!end) break;
      this.#line(this.#text.slice(0, end.index));
      this.#text = this.#text.slice(end.index + end[0].length);
    }
  }

  #line(line: string): void {
    if (line === "") this.#dispatch();
    // A comment is a field without a name.
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "data") this.#data.push(value);
    if (field === "id" && !value.includes("\0")) this.#id = value;
  }

  #dispatch(): void {
    const data = this.#data.join("\n");
    const [id, isEvent] = [this.#id, this.#data.length > 0];
    this.#data = [];
    this.#id = undefined;
    if (!isEvent) return;
    const value = parseJson(data);
    this.events.push({ id, data, value, notification: toNotification(value), at: performance.now() });
    this.#evidence.note(`← event ${id === undefined ? "" : `(id ${id}) `}${data}`);
  }
}
