import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { connect, type Socket } from "node:net";
import { until } from "../until.ts";

/** One HTTP request, sent exactly like this. */
export interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  /** A flat list when a header is to be doubled. */
  readonly headers?: OutgoingHttpHeaders | readonly string[];
  readonly body?: string | Buffer;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty for a stream of events, which is closed at once. */
  readonly body: string;
}

/** Where requests go, and how long they may take. */
export interface Line {
  /** A port, or the path of a socket. */
  readonly port: number | string;
  readonly signal: AbortSignal;
  /** Milliseconds for an answer. */
  readonly answerWithin: number;
  /** Called when none comes within that time. */
  readonly onUnanswered?: (() => void) | undefined;
}

/**
 * Sends a request and reads its answer.
 * @throws Error when the port is closed, the connection breaks, or no answer comes in time.
 */
export async function exchange(line: Line, request: HttpRequest): Promise<HttpReply> {
  const response = await open(line, request);
  const { statusCode = 0, headers } = response;
  if (isEventStream(headers)) {
    response.destroy();
    return { status: statusCode, headers, body: "" };
  }
  return { status: statusCode, headers, body: await readBody(line, response) };
}

/**
 * Reads the rest of an answer.
 * @throws Error when it breaks off, or does not end in time
 */
export async function readBody(line: Line, response: http.IncomingMessage): Promise<string> {
  const late = destroyLate(line, response, "the body of an answer did not end");
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  } finally {
    clearTimeout(late);
  }
}

/**
 * Sends a request; resolves with the head of its answer.
 * @throws Error as `exchange` does.
 */
export function open(line: Line, request: HttpRequest): Promise<http.IncomingMessage> {
  const { port, signal } = line;
  const { method = "POST", path = "/mcp", headers = {}, body } = request;
  // Node accepts a flat array, but its type wants a mutable one.
  const sent = Array.isArray(headers) ? [...headers] : headers;
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      ...(typeof port === "string" ? { socketPath: port } : { host: "127.0.0.1", port }),
      method,
      path,
      headers: sent as OutgoingHttpHeaders,
      agent: false,
      signal,
    });
    const late = destroyLate(line, outgoing, `${method} ${path} got no answer`);
    outgoing.once("response", (response) => {
      clearTimeout(late);
      // A stream that is cut ends with an error; its reader gets "close".
      response.on("error", () => {});
      resolve(response);
    });
    outgoing.once("error", (error) => {
      clearTimeout(late);
      reject(explain(error, port));
    });
    outgoing.end(body);
  });
}

/** Gives up what takes too long. */
const destroyLate = (
  { answerWithin, onUnanswered }: Line,
  late: { destroy(error: Error): unknown },
  fault: string,
) =>
  setTimeout(() => {
    onUnanswered?.();
    late.destroy(new Error(`${fault} within ${answerWithin / 1000} s`));
  }, answerWithin);

export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"]?.toLowerCase().startsWith("text/event-stream") ?? false;
}

function explain(error: Error, port: Line["port"]): Error {
  if ("code" in error && (error.code === "ECONNREFUSED" || error.code === "ENOENT"))
    return new Error(`no process listens on ${typeof port === "string" ? port : `port ${port}`}`);
  if ("code" in error && error.code === "ECONNRESET")
    return new Error("the connection was cut before the answer");
  return error;
}

/** The head of a request, for a plain connection. */
export function postHead(path: string, headers: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}

/** A plain connection, for requests that no HTTP library would send. */
export class RawConnection {
  /** What has come so far. */
  received = "";
  /** Whether the other side has hung up. */
  isClosed = false;
  readonly #socket: Socket;
  readonly #within: number;

  /** @param within milliseconds */
  static open(port: Line["port"], within: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = typeof port === "string" ? connect(port) : connect(port, "127.0.0.1");
      socket.once("connect", () => resolve(new RawConnection(socket, within)));
      socket.once("error", reject);
    });
  }

  private constructor(socket: Socket, within: number) {
    this.#socket = socket;
    this.#within = within;
    socket.setEncoding("latin1").on("data", (text: string) => {
      this.received += text;
    });
    socket.on("error", () => {}); // reset by the other side, which "close" reports
    socket.on("close", () => {
      this.isClosed = true;
    });
  }

  /** Resolves when the bytes are sent or the connection is closed. */
  write(bytes: string | Buffer): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#socket.once("close", resolve);
      this.#socket.write(bytes, () => {
        this.#socket.off("close", resolve);
        resolve();
      });
    });
  }

  /** The status of the answer; undefined when there is none in time. */
  async status(within = this.#within): Promise<number | undefined> {
    const look = () => /^HTTP\/1\.1 (\d{3})/.exec(this.received)?.[1] ?? this.isClosed;
    const status = await until(look, within);
    return typeof status === "string" ? Number(status) : undefined;
  }

  close(): void {
    this.#socket.destroy();
  }
}

const mebibyte = 1024 * 1024;

/** MiB; more than any sensible proposal. */
export const mostPoured = 32;

/** Sends a body until there is an answer. @returns the MiB that went out */
export async function pour(raw: RawConnection): Promise<number> {
  const spaces = Buffer.alloc(mebibyte, " ");
  for (let sent = 0; sent < mostPoured; sent += 1) {
    if (raw.isClosed || raw.received !== "") return sent;
    // A refused body may remain unread: then the connection makes no progress.
    await Promise.race([raw.write(spaces), raw.status()]);
  }
  return mostPoured;
}
