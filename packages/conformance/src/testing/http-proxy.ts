import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Exchange, HttpFault, HttpLink } from "../contracts/fault.ts";
import { isJson, type Json, parseJson } from "../wire/json-rpc.ts";

type Headers = IncomingMessage["headers"];

export interface Proxied {
  /** Where the companion listens. */
  readonly behind: { readonly socketPath: string } | { readonly port: number };
  /** As its header has it. */
  readonly token: string;
  /** The header that names a session. */
  readonly sessionHeader: string;
  readonly fault: Partial<HttpFault>;
}

/** One CLI: its streams, and the requests that wait. */
class Session implements HttpLink {
  readonly memory = new Map<string, unknown>();
  readonly waiting = new Map<unknown, ServerResponse>();
  readonly streams: ServerResponse[] = [];
  opened = 0;
  id: unknown;
  /** Its newest headers. */
  headers: Headers = {};

  readonly all: Session[];
  readonly #pass: (headers: Headers, message: Json) => void;

  constructor(all: Session[], pass: (headers: Headers, message: Json) => void) {
    this.all = all;
    this.#pass = pass;
  }

  readonly tell = (message: object): void => {
    const { id, method } = message as Json;
    const response = method === undefined ? this.waiting.get(id) : this.streams.at(-1);
    if (response) send(response, message as Json);
    this.waiting.delete(id);
  };

  readonly tellAll = (message: object): void => {
    for (const stream of this.streams) send(stream, message as Json);
  };

  readonly ask = (message: Json): void => this.#pass(this.headers, message);

  readonly cutAll = (): void => {
    for (const { streams } of this.all) for (const stream of streams) stream.destroy();
  };
}

function send(response: ServerResponse, message: Json, id?: string): void {
  const text = JSON.stringify(message);
  if (!response.headersSent) response.setHeader("content-type", "application/json").end(text);
  else response.write(`${id === undefined ? "" : `id: ${id}\n`}data: ${text}\n\n`);
  if (message.method === undefined) response.end();
}

/** A server that passes every request to a companion, and does to it what the fault says. */
export function createProxy({ behind, token, sessionHeader, fault }: Proxied) {
  const sessions: Session[] = [];
  let before = 0;
  let queue = Promise.resolve();

  const forward = (method: string, path: string, headers: Headers, body: Buffer) => {
    const { "content-length": _, "transfer-encoding": __, ...others } = headers;
    const outgoing = request({ ...behind, path, method, headers: others, agent: false });
    outgoing.end(body);
    return outgoing;
  };
  const pass = (headers: Headers, message: Json) =>
    void forward("POST", "/mcp", headers, Buffer.from(JSON.stringify(message))).on("error", () => {});

  function sessionOf(headers: Headers): Session {
    const id = headers[sessionHeader];
    const known = sessions.find((session) => id !== undefined && session.id === id);
    const session = known ?? new Session(sessions, pass);
    if (!known) sessions.push(session);
    session.id = id;
    session.headers = headers;
    return session;
  }

  /** In the host the companion's port takes the place of the proxy's. */
  function headersOf(head: Omit<Exchange, "asked">): Headers {
    const { host, ...headers } = fault.head?.(head) ?? head.headers;
    const port = head.own.replace(/.*:/, "");
    if (host === undefined || !("port" in behind)) return { ...headers, host };
    return { ...headers, host: host.replace(`:${port}`, `:${behind.port}`) };
  }

  async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk);
      if (fault.takes && !fault.takes(chunk)) return undefined;
    }
    return Buffer.concat(chunks);
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { method = "", url: path = "" } = incoming;
    const own = "port" in behind ? `127.0.0.1:${incoming.socket.localPort}` : "localhost";
    const head = { method, path, headers: incoming.headers, own, token, before };
    const headers = headersOf(head);
    before += 1;
    const body = await bodyOf(incoming);
    if (!body) return response.writeHead(400).end("This is no text.");
    const session = sessionOf(headers);
    if (method === "DELETE" && fault.keepsOpen) return response.end();
    if (method === "GET") session.opened += 1;
    const parsed = parseJson(body.toString());
    const asked = isJson(parsed) ? parsed : undefined;
    if (asked?.id !== undefined) session.waiting.set(asked.id, response);
    const sent = asked && fault.up ? fault.up(asked, session) : asked;
    if (asked && !sent) return undefined;
    const outgoing = forward(method, path, headers, sent ? Buffer.from(JSON.stringify(sent)) : body);
    response.once("close", () => {
      if (session.streams.includes(response)) session.streams.splice(session.streams.indexOf(response), 1);
      if (!response.writableFinished && !fault.keepsOpen) outgoing.destroy();
    });
    const leave = () => {
      const last = asked && fault.unanswered?.(asked);
      if (last && session.waiting.has(asked.id)) session.tell(last);
      else if (!response.writableEnded) response.destroy();
    };
    outgoing.once("error", leave);
    outgoing.once("response", (answer) => {
      void answerWith(answer, response, { ...head, asked: asked ?? {}, session }, fault).then(leave, leave);
    });
    return undefined;
  }

  return createServer((incoming, response) => {
    // The CLI has gone in the middle of its request.
    const served = () => serve(incoming, response).catch(() => response.destroy());
    if (fault.queues) queue = queue.then(served).then(() => {});
    else void served();
  });
}

/** Passes an answer of the companion. Resolves when it has ended. */
async function answerWith(
  answer: IncomingMessage,
  response: ServerResponse,
  { session, ...exchange }: Exchange & { readonly session: Session },
  fault: Partial<HttpFault>,
): Promise<void> {
  const { method, asked } = exchange;
  const { statusCode: came = 500, headers } = answer;
  session.id ??= headers["mcp-session-id"];
  const status = fault.status?.(came, exchange, session) ?? came;
  const { "content-length": _, "transfer-encoding": __, connection: ___, ...others } = headers;
  for (const [name, value] of Object.entries(fault.replyHeaders?.(others) ?? others))
    if (value !== undefined) response.setHeader(name, value);
  response.statusCode = status;
  const pass = async (text: string, id?: string): Promise<boolean> => {
    const message = parseJson(text);
    if (!isJson(message) || (message.method ?? message.id ?? null) === null) return false;
    const passed = fault.down ? await fault.down(message, session, asked) : message;
    if (passed) send(response, passed, id);
    if (passed && message.method === undefined) session.waiting.delete(message.id);
    return true;
  };
  if (status !== came) {
    response.end("refused");
    answer.destroy();
    return;
  }
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  if (status >= 400 || !isStream) {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (status >= 400 || !(await pass(text))) response.end(fault.body?.(text, exchange) ?? text);
    // What a fault has dropped is never answered.
    if (!response.writableEnded) await new Promise(() => {});
    return;
  }
  response.flushHeaders();
  if (method === "GET") session.streams.push(response);
  let received = "";
  for await (const chunk of answer.setEncoding("utf8")) {
    received += chunk;
    // Comments do not pass.
    for (let end = received.indexOf("\n\n"); end >= 0; end = received.indexOf("\n\n")) {
      const event = received.slice(0, end);
      received = received.slice(end + 2);
      const [id, data] = [/^id: ?(.*)$/m, /^data: ?(.*)$/m].map((field) => field.exec(event)?.[1]);
      if (data !== undefined) await pass(data, id && (fault.eventId?.(id) ?? id));
    }
  }
}
