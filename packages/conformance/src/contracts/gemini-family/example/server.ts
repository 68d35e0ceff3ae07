import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AgentName, defaultAgent } from "../../../agents.ts";
import type { ExampleEditor } from "../../../example/editor.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import type { Tokens } from "./guard.ts";
import type { Rules } from "./rules.ts";
import { ExampleSession } from "./session.ts";
import { callTool, takeAway } from "./tools.ts";

export interface ServerOptions {
  readonly rules: Rules;
  readonly editor: ExampleEditor;
  readonly tokens: Tokens;
  /** The present context. */
  readonly context: () => object;
}

/** One request and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly agent: AgentName;
}

/** The example's HTTP server: a guard, and MCP behind it. */
export class ExampleServer {
  readonly sessions: ExampleSession[] = [];
  readonly #options: ServerOptions;
  /** Clients of `/events` without a session; they receive contexts only. */
  readonly #observers = new Set<ServerResponse>();
  readonly #http = createServer((request, response) => {
    const handle = () =>
      this.#handle(request, response).catch((error: Error) => reply(response, 500, error.message));
    this.#queue = this.#options.rules.oneAtATime ? this.#queue.then(handle) : handle();
  });
  #queue = Promise.resolve();

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  async listen(): Promise<void> {
    const { host, port } = this.#options.rules;
    await new Promise<void>((resolve, reject) => {
      this.#http.once("error", reject).listen(port, host, resolve);
    });
  }

  sendContext(context: object): void {
    for (const observer of this.#observers) this.#sendTo(observer, context);
    for (const session of this.#options.rules.recipients(this.sessions))
      session.write("ide/contextUpdate", context);
  }

  close(): void {
    this.#http.close();
    for (const observer of this.#observers) observer.end();
    for (const session of this.sessions) session.end();
    this.#http.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { rules, tokens } = this.#options;
    for (const [name, value] of Object.entries(rules.headers)) response.setHeader(name, value);
    const early = rules.bodyFirst ? await readBody(request, rules.maxBody) : undefined;
    const refusal = rules.admit(request, tokens, this.port, rules);
    if (refusal) {
      if (refusal.status === 401 && request.url === "/health") return this.#health(response);
      return reply(response, refusal.status, refusal.text);
    }
    const agent = rules.agentOf(request, tokens) ?? defaultAgent;
    const path = request.url?.split("?", 1)[0];
    if (path === rules.endpoint) return this.#mcp({ request, response, agent }, early);
    if (path === "/events") {
      if (request.headers["mcp-session-id"] === undefined) return this.#observe(response);
      return this.#openStream({ request, response, agent }, rules.toEvent);
    }
    reply(response, 404, "There is nothing here.");
  }

  #health(response: ServerResponse): void {
    const { rules, editor, tokens } = this.#options;
    reply(response, 200, rules.health({ roots: editor.folders, tokens: [...tokens.values()] }));
  }

  #observe(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    this.#sendTo(response, this.#options.context());
    this.#observers.add(response);
    response.once("close", () => this.#observers.delete(response));
  }

  #sendTo(observer: ServerResponse, context: object): void {
    const message = this.#options.rules.toEvent({ method: "ide/contextUpdate", params: context });
    observer.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
  }

  async #mcp(exchange: Exchange, early: string | undefined): Promise<void> {
    const { request, response } = exchange;
    const { rules } = this.#options;
    if (request.method === "POST") {
      const body = early ?? (await readBody(request, rules.maxBody));
      if (body === undefined) return reply(response, 413, "That is too much.");
      return this.#post(exchange, parseJson(body));
    }
    if (request.method !== "GET" || !rules.streams)
      return reply(response, 405, "Only POST and GET are served.");
    this.#openStream(exchange);
  }

  /** @param convert how `/events` names its messages */
  #openStream(exchange: Exchange, convert?: Rules["toEvent"]): void {
    const { request, response } = exchange;
    const { rules, context } = this.#options;
    const last = request.headers["last-event-id"];
    this.#sessionOf(exchange)?.addStream(
      response,
      typeof last === "string" ? last : undefined,
      rules.atOnce ? context() : undefined,
      convert,
    );
  }

  async #post(exchange: Exchange, message: unknown): Promise<void> {
    const { request, response } = exchange;
    const { rules } = this.#options;
    const version = request.headers["mcp-protocol-version"];
    if (version === "2026-07-28")
      return reply(response, rules.laterProtocol, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32022, message: "unsupported protocol version" },
      });
    if (rules.checksVersionHeader && typeof version === "string" && !rules.versions.includes(version)) {
      return reply(response, 400, `MCP ${version} is not served.`);
    }
    if (
      !isJson(message) ||
      message.jsonrpc !== "2.0" ||
      (typeof message.method !== "string" && !("result" in message))
    ) {
      return reply(response, rules.garbageStatus, {
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: "no JSON-RPC" },
      });
    }
    if (message.method === "initialize") {
      if (this.sessions.length < rules.maxSessions) return this.#initialize(exchange, message);
      return reply(response, 503, "There are too many sessions.");
    }
    const session = this.#sessionOf(exchange);
    if (!session) return;
    if (message.id === undefined) return void response.writeHead(rules.notificationStatus).end();
    if (!rules.answers(session, this.sessions.at(-1))) return;
    reply(response, 200, rules.envelope(message.id, this.#answer(session, message)));
  }

  #initialize({ response, agent }: Exchange, { id, params }: Json): void {
    const { rules, editor } = this.#options;
    const asked = isJson(params) ? params : {};
    const info = isJson(asked.clientInfo) ? asked.clientInfo : {};
    const session: ExampleSession = new ExampleSession(agent, String(info.name), rules, () => {
      const index = this.sessions.indexOf(session);
      if (index >= 0) this.sessions.splice(index, 1);
      if (rules.closesDiffsOfTheDead)
        for (const diff of session.diffs.values()) takeAway({ editor, session }, diff);
    });
    this.sessions.push(session);
    if (session.id !== undefined) response.setHeader("mcp-session-id", session.id);
    const result = {
      protocolVersion: rules.negotiate(String(asked.protocolVersion), rules.versions),
      capabilities: rules.capabilities,
      serverInfo: { name: "example", version: "1.0.0" },
    };
    reply(response, 200, rules.envelope(id, { result }));
  }

  /** The session that a request names; when there is none the request is answered. */
  #sessionOf({ request, response, agent }: Exchange): ExampleSession | undefined {
    const { rules } = this.#options;
    const id = request.headers["mcp-session-id"];
    const found = this.sessions.find((session) => session.id === id && session.agent === agent);
    if (found) return found;
    const status = id === undefined ? rules.missingSession : rules.unknownSession;
    if (status === undefined) return this.sessions.at(-1);
    reply(response, status, "Send initialize first.");
    return undefined;
  }

  #answer(session: ExampleSession, { method, params }: Json): object {
    const { rules, editor } = this.#options;
    if (method === "ping") return rules.ping();
    if (method === "tools/list") {
      return {
        result: { tools: Object.entries(rules.tools).map(([name, inputSchema]) => ({ name, inputSchema })) },
      };
    }
    if (method !== "tools/call" || !isJson(params)) return rules.unknownMethod(String(method));
    return callTool(params, { session, editor, sessions: this.sessions }, rules);
  }
}

/** @returns undefined when there is more of it than the limit */
async function readBody(request: IncomingMessage, limit: number): Promise<string | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > limit) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function reply(response: ServerResponse, status: number, body: object | string): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, {
    "content-type": typeof body === "string" ? "text/plain" : "application/json",
  });
  response.end(text);
}
