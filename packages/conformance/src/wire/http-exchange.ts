import http, { type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";

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
  readonly port: number;
  /** Name or address; 127.0.0.1 unless given. */
  readonly host?: string;
  readonly signal: AbortSignal;
  /** Milliseconds for an answer. */
  readonly answerWithin: number;
  /** Called when none comes within that time. */
  readonly onUnanswered?: () => void;
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
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: statusCode, headers, body: Buffer.concat(chunks).toString("utf8") };
}

/**
 * Sends a request; resolves with the head of its answer.
 * @throws Error as `exchange` does.
 */
export function open(line: Line, request: HttpRequest): Promise<http.IncomingMessage> {
  const { port, host = "127.0.0.1", signal, answerWithin, onUnanswered } = line;
  const { method = "POST", path = "/mcp", headers = {}, body } = request;
  // Node accepts a flat array, but its type wants a mutable one.
  const sent = Array.isArray(headers) ? [...headers] : headers;
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      host,
      port,
      method,
      path,
      headers: sent as OutgoingHttpHeaders,
      agent: false,
      signal,
    });
    const late = setTimeout(() => {
      onUnanswered?.();
      outgoing.destroy(new Error(`${method} ${path} got no answer within ${answerWithin / 1000} s`));
    }, answerWithin);
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

export function isEventStream(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"]?.toLowerCase().startsWith("text/event-stream") ?? false;
}

function explain(error: Error, port: number): Error {
  if ("code" in error && error.code === "ECONNREFUSED")
    return new Error(`no process listens on port ${port}`);
  if ("code" in error && error.code === "ECONNRESET")
    return new Error("the connection was cut before the answer");
  return error;
}
