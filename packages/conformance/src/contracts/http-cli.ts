import type { Clis, Limits } from "../run/subject.ts";
import { EventStream } from "../wire/event-stream.ts";
import type { Evidence } from "../wire/evidence.ts";
import {
  exchange,
  type HttpReply,
  type HttpRequest,
  isEventStream,
  type Line,
  open,
  RawConnection,
  readBody,
} from "../wire/http.ts";
import { isJson, type Json, type Notification, parseJson } from "../wire/json-rpc.ts";
import { Broken, resultOf } from "./check.ts";

/** What a request was answered with. */
export interface RpcAnswer {
  readonly headers: HttpReply["headers"];
  /** The JSON-RPC message, as it came. */
  readonly message: Json;
  readonly result: Json | undefined;
  readonly error: Json | undefined;
}

export interface HttpCliOptions {
  /** For people. */
  readonly title: string;
  /** Where the companion listens: a port, or the path of a socket. */
  readonly port: Line["port"];
  readonly limits: Limits;
  readonly evidence: Evidence;
  /** Called when an answer does not come in time. */
  readonly onUnanswered: () => void;
  /** What each of its requests carries, besides what belongs to the session and to MCP. */
  readonly own: Readonly<Record<string, string>>;
  /** What only its requests with a body carry. */
  readonly posting?: Readonly<Record<string, string>>;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** The version of MCP that it asks for. */
  readonly protocolVersion: string;
  /** Whether its requests name the version that was agreed on. */
  readonly namesVersion?: true;
}

/** One CLI that speaks MCP over HTTP: what it sends, and what it has received. */
export class HttpCli {
  /** As the companion issued it; undefined when it issues none. */
  id: string | undefined;
  /** The version that was agreed on. */
  version = "";
  readonly streams: EventStream[] = [];
  readonly limits: Limits;
  /** The calls of tools so far. */
  readonly called: { readonly name: string; readonly input: Json }[] = [];
  readonly #options: HttpCliOptions;
  readonly #life = new AbortController();
  #lastId = -1;

  constructor(options: HttpCliOptions) {
    this.#options = options;
    this.limits = options.limits;
  }

  /** What each request carries. */
  get headers(): Record<string, string> {
    const { own, namesVersion } = this.#options;
    return {
      ...own,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(this.id !== undefined && { "mcp-session-id": this.id }),
      ...(namesVersion && this.version !== "" && { "mcp-protocol-version": this.version }),
    };
  }

  /** The newest stream. @throws Broken when none was opened */
  get stream(): EventStream {
    const newest = this.streams.at(-1);
    if (!newest) throw new Broken("the CLI has opened no stream");
    return newest;
  }

  /** The introduction. @throws Broken when it is refused */
  async greet(): Promise<void> {
    await this.initialize();
    const { status } = await this.initialized();
    if (status >= 400) throw new Broken(`notifications/initialized was answered ${status}`);
  }

  /** @returns the result @throws Broken when it is refused */
  async initialize(): Promise<Json> {
    const { protocolVersion, clientInfo } = this.#options;
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const result = resultOf((await this.request("initialize", params)).message, "initialize");
    this.version = typeof result.protocolVersion === "string" ? result.protocolVersion : "";
    return result;
  }

  initialized(): Promise<HttpReply> {
    return this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** @throws Broken when it is not answered with a stream of events */
  async openStream(extra: Readonly<Record<string, string>> = {}): Promise<EventStream> {
    const { evidence } = this.#options;
    const headers = { ...this.headers, accept: "text/event-stream", ...extra };
    const { "last-event-id": last } = extra;
    evidence.note(`→ GET /mcp${last === undefined ? "" : ` Last-Event-ID: ${last}`}`);
    const response = await open(this.#line(), { method: "GET", path: "/mcp", headers });
    if (response.statusCode !== 200 || !isEventStream(response.headers)) {
      response.destroy();
      const type = response.headers["content-type"] ?? "no type";
      throw new Broken(`GET /mcp was answered ${response.statusCode}, ${type}, not with a stream of events`);
    }
    const stream = new EventStream(response, evidence);
    this.streams.push(stream);
    return stream;
  }

  /** @returns the tools @throws Broken when they are not listed */
  async list(): Promise<readonly Json[]> {
    const { tools } = resultOf((await this.request("tools/list", {})).message, "tools/list");
    return Array.isArray(tools) ? tools.filter(isJson) : [];
  }

  /** Calls a tool. @param within milliseconds; where they are unlimited, an answer that does not come is no fault */
  async call(name: string, input: Json, within?: number): Promise<RpcAnswer> {
    this.called.push({ name, input });
    return this.request("tools/call", { name, arguments: input }, within);
  }

  /**
   * A request and its answer, whether that comes as JSON or on a stream. Other messages on a stream are none.
   * @throws Broken when no message answers it in time
   */
  async request(method: string, params: Json, within?: number): Promise<RpcAnswer> {
    const { evidence } = this.#options;
    const line = this.#line(within);
    this.#lastId += 1;
    const id = this.#lastId;
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    evidence.note(`→ POST /mcp ${body}`);
    const response = await open(line, { headers: this.#posting, body });
    const { statusCode: status = 0, headers } = response;
    const { "mcp-session-id": issued } = headers;
    if (method === "initialize" && typeof issued === "string") this.id = issued;
    if (isEventStream(headers)) {
      const stream = new EventStream(response, evidence);
      const answersIt = (value: unknown): value is Json =>
        isJson(value) && value.id === id && !("method" in value);
      const search = ({ events }: EventStream) => events.map(({ value }) => value).find(answersIt);
      const message = await stream.find(search, line.answerWithin);
      stream.cut();
      if (message) return toAnswer(headers, message);
      line.onUnanswered?.();
      throw new Broken(`${method} got no answer on the stream that it was answered with`);
    }
    const text = await readBody(line, response);
    evidence.note(`← ${status} ${text}`);
    const message = parseJson(text);
    if (isJson(message)) return toAnswer(headers, message);
    const shown = JSON.stringify(text.slice(0, 200));
    throw new Broken(`${method} was answered ${status} ${shown}, which is no JSON-RPC message`);
  }

  /** Sends any message. @returns the answer as it came */
  post(message: unknown): Promise<HttpReply> {
    const body = typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message);
    return this.send({ headers: this.#posting, body });
  }

  /** Sends any request. @returns the answer as it came */
  async send(request: HttpRequest): Promise<HttpReply> {
    const { evidence } = this.#options;
    const { method = "POST", path = "/mcp", headers = {}, body } = request;
    const said = body === undefined ? "" : ` ${body.toString("utf8")}`;
    evidence.note(`→ ${method} ${path}${said} ${JSON.stringify(headers)}`);
    const reply = await exchange(this.#line(), request);
    evidence.note(`← ${reply.status} ${reply.body}`);
    return reply;
  }

  /** What has come of a notification since, on all streams. @param since `performance.now()` */
  of(method: string, since = 0): readonly Notification[] {
    return this.streams
      .flatMap(({ events }) => events)
      .flatMap(({ notification, at }) =>
        notification?.method === method && at >= since ? [notification] : [],
      );
  }

  /** Ends the session. */
  async leave(): Promise<HttpReply> {
    const reply = await this.send({ method: "DELETE", headers: this.headers });
    this.streams.at(-1)?.cut();
    return reply;
  }

  /** Ends as a CLI that is killed. */
  kill(): void {
    for (const stream of this.streams) stream.cut();
    this.#life.abort();
  }

  toString(): string {
    return this.#options.title;
  }

  get #posting(): Record<string, string> {
    return { ...this.headers, ...this.#options.posting };
  }

  #line(answerWithin = this.limits.answer): Line {
    const { port, onUnanswered } = this.#options;
    const line = { port, signal: this.#life.signal, answerWithin };
    // A call that waits for the user may end without an answer, as when the CLI ends.
    return answerWithin === unlimited ? line : { ...line, onUnanswered };
  }
}

/** Milliseconds of a call that waits for the user: as long as a timer can be. */
export const unlimited = 0x7fff_ffff;

function toAnswer(headers: HttpReply["headers"], message: Json): RpcAnswer {
  const { result, error } = message;
  const [asResult, asError] = [isJson(result) ? result : undefined, isJson(error) ? error : undefined];
  return { headers, message, result: asResult, error: asError };
}

/** A connection on which anything at all can be sent. */
export async function openRaw(port: Line["port"], { answer }: Limits, clis: Clis): Promise<RawConnection> {
  const connection = await RawConnection.open(port, answer);
  clis.later(() => connection.close());
  return connection;
}
