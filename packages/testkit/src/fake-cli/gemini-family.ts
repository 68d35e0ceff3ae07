import http, { type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createParser } from "eventsource-parser";
import { z } from "zod";
import { poll } from "../waiting.ts";

export interface WireReply {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export interface WireEvent {
  readonly id: string | undefined;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

const Message = z.object({ method: z.string(), params: z.record(z.string(), z.unknown()).default({}) });

/** Where a companion listens: a port of 127.0.0.1, or the path of its socket. */
type Place = number | string;

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: http.OutgoingHttpHeaders | string[];
  readonly body?: string | Buffer;
  /** Breaks it off. */
  readonly signal?: AbortSignal | undefined;
}

const toOptions = (place: Place, { method = "POST", path = "/mcp", headers = {}, signal }: Sent) => ({
  ...(typeof place === "number" ? { host: "127.0.0.1", port: place } : { socketPath: place }),
  method,
  path,
  headers: typeof place === "number" ? headers : { host: "localhost", ...headers },
  agent: false,
  signal,
});

/** One request, with nothing added: what a test sends is what goes over the wire. */
export function send(place: Place, sent: Sent): Promise<WireReply> {
  return new Promise((resolve, reject) => {
    const request = http.request(toOptions(place, sent), (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => resolve({ status, headers, body }), reject);
    });
    request.on("error", reject);
    request.end(sent.body);
  });
}

/** The events of one open stream, in the order in which they came. */
export class WireStream {
  readonly events: WireEvent[] = [];
  readonly comments: string[] = [];
  readonly response: IncomingMessage;
  /** Called with each event as it comes. */
  onEvent: (event: WireEvent) => void = () => {};
  #closed = false;

  constructor(response: IncomingMessage) {
    this.response = response;
    const parser = createParser({
      onEvent: ({ id, data }) => this.#take({ id, ...Message.parse(JSON.parse(data)) }),
      onComment: (comment) => this.comments.push(comment),
    });
    response.setEncoding("utf8").on("data", (text: string) => parser.feed(text));
    // A stream that a test cuts ends with an error, which is what the test wants.
    response.on("error", () => {});
    response.on("close", () => {
      this.#closed = true;
    });
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Resolves with the first event that fits, past or future. */
  async next(fits: (event: WireEvent) => boolean, milliseconds = 5000): Promise<WireEvent> {
    const describe = () => JSON.stringify(this.events);
    return poll("event", () => this.events.find(fits), { within: milliseconds, every: 10, describe });
  }

  async method(method: string): Promise<WireEvent> {
    return this.next((event) => event.method === method);
  }

  async close(): Promise<void> {
    this.response.destroy();
    await this.ended();
  }

  async ended(): Promise<void> {
    await poll("end of the stream", () => this.#closed || undefined, { within: 5000, every: 10 });
  }

  #take(event: WireEvent): void {
    this.events.push(event);
    this.onEvent(event);
  }
}

export function openWireStream(
  place: Place,
  headers: http.OutgoingHttpHeaders,
  path = "/mcp",
  signal?: AbortSignal,
): Promise<WireStream> {
  return new Promise((resolve, reject) => {
    const request = http.request(toOptions(place, { method: "GET", path, headers, signal }), (response) => {
      if (response.statusCode === 200) resolve(new WireStream(response));
      else reject(new Error(`the stream was answered with ${response.statusCode}`));
    });
    request.on("error", reject);
    request.end();
  });
}

/** An agent CLI's end of the wire, as both real ones behave: see docs/reference/contract.md#1-transport. */
export class WireClient {
  readonly port: number;
  readonly token: string;
  sessionId = "";
  readonly #protocol: string;
  #lastId = 0;

  constructor(port: number, token: string, protocol = "2025-06-18") {
    this.port = port;
    this.token = token;
    this.#protocol = protocol;
  }

  get headers(): Record<string, string> {
    return {
      authorization: `Bearer ${this.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(this.sessionId === ""
        ? {}
        : { "mcp-session-id": this.sessionId, "mcp-protocol-version": this.#protocol }),
    };
  }

  post(message: unknown): Promise<WireReply> {
    return this.send(JSON.stringify(message));
  }

  send(body: string | Buffer): Promise<WireReply> {
    return send(this.port, { headers: this.headers, body });
  }

  async request(method: string, params: unknown): Promise<{ status: number; message: RpcAnswer }> {
    this.#lastId += 1;
    const { status, body, headers } = await this.post({ jsonrpc: "2.0", id: this.#lastId, method, params });
    const session = headers["mcp-session-id"];
    if (method === "initialize" && typeof session === "string") this.sessionId = session;
    return { status, message: RpcAnswer.parse(JSON.parse(body)) };
  }

  /** initialize and notifications/initialized, as both CLIs do. */
  async initialize(name = "streamable-http-client"): Promise<this> {
    const clientInfo = { name, version: "1.0.0" };
    await this.request("initialize", { protocolVersion: this.#protocol, capabilities: {}, clientInfo });
    await this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return this;
  }

  openStream(extra: Record<string, string> = {}, path = "/mcp"): Promise<WireStream> {
    return openWireStream(this.port, { ...this.headers, accept: "text/event-stream", ...extra }, path);
  }

  async call(name: string, input: unknown): Promise<RpcAnswer> {
    const { message } = await this.request("tools/call", { name, arguments: input });
    return message;
  }
}

const RpcAnswer = z.object({
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.int(), message: z.string() }).optional(),
});
export type RpcAnswer = z.infer<typeof RpcAnswer>;
