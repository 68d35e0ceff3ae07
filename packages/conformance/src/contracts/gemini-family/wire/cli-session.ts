import { type AgentName, agents } from "../../../agents.ts";
import type { EventStream } from "../../../wire/event-stream.ts";
import type { HttpReply } from "../../../wire/http.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { Broken } from "../../check.ts";
import { ask, type Conversation, openEvents, type RpcAnswer, send } from "../../mcp.ts";

export interface CliOptions extends Conversation {
  readonly agent: AgentName;
  readonly token: string;
  /** Milliseconds for events that must follow soon. */
  readonly eventWithin: number;
  /** `clientInfo.name`; the one that both real CLIs send, unless given. */
  readonly name?: string;
  readonly protocolVersion?: string;
}

/** The client side of a session: sends what the real CLIs send, in their order. */
export class CliSession {
  readonly agent: AgentName;
  readonly eventWithin: number;
  /** As the companion issued it; undefined when it issues none. */
  id: string | undefined;
  /** The version that was agreed on. */
  version = "";
  readonly streams: EventStream[] = [];
  /** Paths of open diffs, which are closed at the end. */
  readonly openDiffs = new Set<string>();
  readonly #options: CliOptions;
  #count = 0;

  constructor(options: CliOptions) {
    this.#options = options;
    this.agent = options.agent;
    this.eventWithin = options.eventWithin;
  }

  /** The newest stream. @throws Broken when none was opened */
  get stream(): EventStream {
    const newest = this.streams.at(-1);
    if (!newest) throw new Broken("the session has no stream");
    return newest;
  }

  get headers(): Record<string, string> {
    const { token } = this.#options;
    return {
      ...(token === "" ? {} : { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(this.id === undefined ? {} : { "mcp-session-id": this.id }),
      ...(this.version === "" ? {} : { "mcp-protocol-version": this.version }),
    };
  }

  /** @throws Broken when it is not answered with a result. */
  async initialize(): Promise<Json> {
    const own = agents[this.agent];
    const { name = "streamable-http-client", protocolVersion = own.protocolVersion } = this.#options;
    const clientInfo = { name, version: own.clientVersion };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    const { result, status, message } = await this.request("initialize", params);
    if (!result) throw new Broken(`initialize was answered ${status} ${JSON.stringify(message)}`);
    this.version = typeof result.protocolVersion === "string" ? result.protocolVersion : "";
    return result;
  }

  initialized(): Promise<HttpReply> {
    return this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** @throws Broken when it is not answered with a stream. */
  async openStream(extra: Readonly<Record<string, string>> = {}): Promise<EventStream> {
    const headers = { ...this.headers, accept: "text/event-stream", ...extra };
    const stream = await openEvents(this.#options, headers);
    this.streams.push(stream);
    return stream;
  }

  /**
   * A request and its answer, whether that comes as JSON or on a stream.
   * @throws Broken when no JSON-RPC message answers it.
   */
  async request(method: string, params: Json): Promise<RpcAnswer> {
    this.#count += 1;
    const request = { jsonrpc: "2.0", id: this.#count, method, params };
    return ask(this.#options, request, this.headers, ({ "mcp-session-id": issued }) => {
      if (method === "initialize" && typeof issued === "string") this.id = issued;
    });
  }

  /** Sends any message. @returns the answer as it came */
  post(message: unknown): Promise<HttpReply> {
    return send(this.#options, { headers: this.headers, body: JSON.stringify(message) });
  }

  /** @returns the tools. @throws Broken when they are not listed */
  async list(): Promise<readonly Json[]> {
    const { result, message } = await this.request("tools/list", {});
    if (!Array.isArray(result?.tools)) throw new Broken(`tools/list was answered ${JSON.stringify(message)}`);
    return result.tools.filter(isJson);
  }

  /** Calls a tool. */
  async call(name: string, input: Json): Promise<RpcAnswer> {
    const answer = await this.request("tools/call", { name, arguments: input });
    const path = input.filePath;
    if (typeof path === "string" && answer.result?.isError !== true && answer.result) {
      if (name === "openDiff") this.openDiffs.add(path);
      else this.openDiffs.delete(path);
    }
    return answer;
  }

  /** Proposes a text for a file. @throws Broken when no diff was opened. */
  async openDiff(filePath: string, newContent: string): Promise<void> {
    const { result, message } = await this.call("openDiff", { filePath, newContent });
    if (!result || result.isError === true) {
      throw new Broken(`openDiff of ${filePath} was answered ${JSON.stringify(message)}`);
    }
  }

  async closeDiff(filePath: string, suppressNotification = true): Promise<RpcAnswer> {
    return this.call("closeDiff", { filePath, suppressNotification });
  }

  toString(): string {
    return agents[this.agent].title;
  }
}
