import { randomUUID } from "node:crypto";
import { until } from "../../until.ts";
import type { EventStream } from "../../wire/event-stream.ts";
import type { Evidence } from "../../wire/evidence.ts";
import type { HttpReply, HttpRequest, Line } from "../../wire/http.ts";
import { isJson, type Json, type Notification, parseJson } from "../../wire/json-rpc.ts";
import { Broken, resultOf, textsOf } from "../check.ts";
import { ask, type Conversation, openEvents, send } from "../mcp.ts";
import { isOver, type Pending } from "../question.ts";

/** The version of MCP that the CLI asks for. */
export const currentVersion = "2025-11-25";

/** Milliseconds of a call that waits for the user: as long as a timer can be. */
const unlimited = 0x7fff_ffff;

export interface CliOptions {
  /** What the lock file tells the CLI to send. */
  readonly headers: Readonly<Record<string, string>>;
  readonly line: Omit<Line, "signal">;
  readonly evidence: Evidence;
  /** That of another CLI that comes again; a new one by default. */
  readonly ownId?: string | undefined;
}

/** One CLI: what it sends over the socket, and what it has received. */
export class Cli {
  /** The conversation's, which the CLI sends with each request. */
  readonly ownId: string;
  /** As the companion issued it. */
  id: string | undefined;
  readonly streams: EventStream[] = [];
  readonly #options: CliOptions;
  readonly #life = new AbortController();
  #lastId = -1;

  constructor(options: CliOptions) {
    this.#options = options;
    this.ownId = options.ownId ?? randomUUID();
  }

  /** What each request carries, besides what belongs to its body. */
  get headers(): Record<string, string> {
    return {
      ...this.#options.headers,
      host: "localhost",
      "x-copilot-session-id": this.ownId,
      "x-copilot-pid": String(process.pid),
      "x-copilot-parent-pid": String(process.ppid),
      ...(this.id !== undefined && { "mcp-session-id": this.id }),
    };
  }

  get stream(): EventStream {
    const newest = this.streams.at(-1);
    if (!newest) throw new Error("the CLI has opened no stream");
    return newest;
  }

  /** The introduction, up to the list of tools. @returns the result of `initialize` */
  async greet(): Promise<Json> {
    const introduction = await this.initialize();
    await this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    await this.openStream();
    await this.list();
    return introduction;
  }

  /** @throws Broken when it is refused */
  async initialize(protocolVersion = currentVersion): Promise<Json> {
    const clientInfo = { name: "copilot-cli", version: "1.0.102" };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    return resultOf(await this.request("initialize", params), "initialize");
  }

  /** @throws Broken when it is refused */
  async openStream(): Promise<EventStream> {
    const headers = { ...this.headers, accept: "text/event-stream" };
    const stream = await openEvents(this.#conversation(), headers);
    this.streams.push(stream);
    return stream;
  }

  /** @returns the tools */
  async list(): Promise<readonly Json[]> {
    const { tools } = resultOf(await this.request("tools/list", {}), "tools/list");
    return Array.isArray(tools) ? tools.filter(isJson) : [];
  }

  /**
   * A request and its answer, which comes as JSON or on a stream.
   * @throws Broken when no message answers it in time
   */
  async request(method: string, params: object, within?: number): Promise<Json> {
    this.#lastId += 1;
    const request = { jsonrpc: "2.0", id: this.#lastId, method, params };
    const { message } = await ask(
      this.#conversation(within),
      request,
      this.#posting,
      ({ "mcp-session-id": issued }) => {
        if (method === "initialize" && typeof issued === "string") this.id = issued;
      },
    );
    return message;
  }

  /** Calls a tool that answers at once. @returns what its text says */
  async call(name: string, input: object): Promise<unknown> {
    const answer = await this.request("tools/call", { name, arguments: input });
    const [text = ""] = textsOf(answer, name);
    const value = parseJson(text);
    if (value === undefined) throw new Broken(`the text of ${name} is not JSON: ${text.slice(0, 200)}`);
    return value;
  }

  /** Calls a tool that waits for the user. */
  start(name: string, input: object): Pending {
    const answers: Json[] = [];
    let failure: string | undefined;
    void this.request("tools/call", { name, arguments: input }, unlimited).then(
      (answer) => answers.push(answer),
      (error: Error) => {
        failure = error.message;
      },
    );
    return {
      answers,
      get failure() {
        return failure;
      },
      answer: async (within = this.#options.line.answerWithin) => {
        await until(() => isOver({ answers, failure }), within);
        const [first] = answers;
        if (first) return first;
        throw new Broken(failure ?? `${name} was not answered within ${within} ms`);
      },
    };
  }

  /** Sends any message. @returns the answer as it came */
  post(message: unknown): Promise<HttpReply> {
    const body = typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message);
    return this.send({ headers: this.#posting, body });
  }

  /** Sends any request. @returns the answer as it came */
  send(request: HttpRequest): Promise<HttpReply> {
    return send(this.#conversation(), request);
  }

  /** What has come of a notification since, on all streams. @param since `performance.now()` */
  of(method: string, since = 0): readonly Notification[] {
    return this.streams
      .flatMap(({ events }) => events)
      .flatMap(({ notification, at }) =>
        notification?.method === method && at >= since ? [notification] : [],
      );
  }

  /** Ends as a CLI that exits. */
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

  get #posting(): Record<string, string> {
    return {
      ...this.headers,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "transfer-encoding": "chunked",
    };
  }

  #conversation(within = this.#options.line.answerWithin): Conversation {
    const { line, evidence } = this.#options;
    // A call that waits for the user may end without an answer, as when the CLI ends.
    const onUnanswered = within === unlimited ? undefined : line.onUnanswered;
    return { evidence, line: { ...line, signal: this.#life.signal, answerWithin: within, onUnanswered } };
  }
}
