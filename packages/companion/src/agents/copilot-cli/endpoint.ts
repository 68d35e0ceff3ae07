import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { isObject } from "../../system/json.ts";
import { EventStream } from "../../transport/event-stream.ts";
import { answerRequest, errorCodes, RpcError, type RpcRequest } from "../../transport/json-rpc.ts";
import { accepts, readPostedJson, toMessage, toMessages } from "../../transport/posted-messages.ts";
import { httpError, replyFailure, replyJson } from "../../transport/reply.ts";
import type { Core } from "../family.ts";
import { introduce } from "../tools.ts";
import { Session } from "./session.ts";
import { toolList } from "./tools.ts";

/** Sessions at once; each is a CLI on this machine, so more of them is a fault. */
const maxSessions = 256;

/** Newest first; the CLI asks for the first of them once a later protocol has been refused. */
const protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26"];

const Initialize = z.object({
  protocolVersion: z.string(),
  clientInfo: z.object({ name: z.string(), version: z.string() }),
});

/** `/mcp`: MCP over Streamable HTTP, with sessions. The guard has let the caller in. */
export class Endpoint {
  readonly #core: Core;
  readonly #sessions = new Map<string, Session>();

  constructor(core: Core) {
    this.#core = core;
  }

  /** Never throws. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await this.#route(request, response).catch((error: unknown) =>
      replyFailure(response, error, this.#core.events.emit),
    );
  }

  /** Ends every session; the diffs have been closed before. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.end("the companion stops")));
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.split("?", 1)[0] !== "/mcp")
      throw httpError(404, "There is nothing here: MCP is served at /mcp");
    switch (request.method) {
      case "POST":
        return this.#post(request, response);
      case "GET":
        return this.#openStream(request, response);
      case "DELETE":
        await this.#find(request).end("it said goodbye");
        return void response.writeHead(200).end();
      default:
        throw httpError(405, `/mcp answers to GET, POST and DELETE, not to ${request.method}`, {
          headers: { allow: "GET, POST, DELETE" },
        });
    }
  }

  async #post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readPostedJson(request);
    if (isObject(body) && body.method === "initialize") return this.#initialize(request, response, body);
    // The later protocol that the CLI asks for first has no sessions: refused, it asks for this one.
    const session = this.#find(request);
    const onAway = (listener: () => void) =>
      void response.once("close", () => response.writableFinished || listener());
    const requests = toMessages(body).filter((message) => message.kind === "request");
    const answers = await Promise.all(
      requests.map((message) => answerRequest(message, () => dispatch(message, session, onAway))),
    );
    if (response.destroyed) return;
    if (answers.length === 0) response.writeHead(202, sessionHeader(session)).end();
    else replyJson(response, 200, Array.isArray(body) ? answers : answers[0], sessionHeader(session));
  }

  async #initialize(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const message = toMessage(body);
    const { data, error } = Initialize.safeParse(message.params);
    if (message.kind !== "request" || error)
      throw httpError(400, "initialize needs an id, protocolVersion and clientInfo", {
        code: errorCodes.invalidParams,
      });
    const id = sessionIdOf(request) ?? randomUUID();
    // A CLI that lost us, or goes on with a conversation, comes again by the same id: the newer one is right.
    await this.#sessions.get(id)?.end("it connected again");
    if (this.#sessions.size >= maxSessions)
      throw httpError(503, `${maxSessions} CLIs are connected already: close one first`);
    const session = new Session(id, data.clientInfo, this.#core, () => {
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
    });
    this.#sessions.set(id, session);
    const result = introduce(this.#core.version, data.protocolVersion, protocolVersions);
    replyJson(response, 200, { jsonrpc: "2.0", id: message.id, result }, sessionHeader(session));
  }

  #openStream(request: IncomingMessage, response: ServerResponse): void {
    if (!accepts(request, "text/event-stream"))
      throw httpError(406, "A GET on /mcp opens a stream: its Accept header must include text/event-stream");
    const session = this.#find(request);
    session.addStream(new EventStream(response, sessionHeader(session)));
  }

  /** @throws HttpError 400 when the request names no session, 404 when it is unknown */
  #find({ headers }: IncomingMessage): Session {
    const id = headers["mcp-session-id"];
    if (typeof id !== "string")
      throw httpError(400, "The Mcp-Session-Id header is missing: send initialize first");
    const session = this.#sessions.get(id);
    if (session) return session;
    throw httpError(404, "This session is unknown or over: send initialize again", {
      code: errorCodes.sessionNotFound,
    });
  }
}

async function dispatch(
  { method, params }: RpcRequest,
  session: Session,
  onAway: (listener: () => void) => void,
): Promise<object> {
  switch (method) {
    case "ping":
      return {};
    case "tools/list":
      return { tools: toolList };
    case "tools/call":
      return session.callTool(params, onAway);
    default:
      throw new RpcError(errorCodes.methodNotFound, `Method not found: ${method}`);
  }
}

const sessionHeader = ({ id }: Session) => ({ "mcp-session-id": id });

/** The CLI's own: one id for both. It goes back in a header, so nothing else may stand in it. */
function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers["x-copilot-session-id"];
  return typeof id === "string" && /^[\w-]{8,128}$/.test(id) ? id : undefined;
}
