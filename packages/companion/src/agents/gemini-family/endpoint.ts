import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reviews } from "../../core/changes/reviews.ts";
import { isObject } from "../../system/json.ts";
import { createLaterPart, loadPart } from "../../system/later-part.ts";
import { bearer, type Credential, createGuard, createRefusalNews, hostsOf } from "../../transport/guard.ts";
import { answerRequest, errorCodes, RpcError, type RpcRequest } from "../../transport/json-rpc.ts";
import { readPostedJson, toMessages } from "../../transport/posted-messages.ts";
import { httpError, replyFailure, replyJson, replyText } from "../../transport/reply.ts";
import type { HealthReport } from "./contract/health.ts";
import type { HookOptions } from "./hook-requests.ts";
import type { CapabilityCaller } from "./optional-capabilities.ts";
import type { FamilyAgent } from "./quirks.ts";
import type { Session } from "./session.ts";
import type { SessionRegistry } from "./session-registry.ts";
import {
  checkProtocolVersion,
  type Exchange,
  findSession,
  initialize,
  offeredTools,
  openStream,
  sessionHeader,
} from "./session-requests.ts";

export interface EndpointOptions extends Omit<CapabilityCaller, "roots">, HookOptions {
  readonly version: string;
  readonly credentials: readonly Credential<FamilyAgent>[];
  readonly sessions: SessionRegistry;
  readonly book: Reviews;
  /** What `GET /health` answers to a holder of a token. */
  readonly report: () => HealthReport;
}

const remedy =
  "The editor's companion may have been restarted: run /ide enable, or start the CLI again from the editor's terminal.";

/**
 * Answers every HTTP request to the companion: who may ask, and what answers.
 * @see docs/reference/contract.md#1-transport
 */
export function createEndpoint(port: number, options: EndpointOptions) {
  const { onEvent } = options;
  const guard = createGuard(hostsOf(port), options.credentials, bearer(remedy));
  const tellOfRefusal = createRefusalNews(onEvent);

  async function route(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const [path = ""] = request.url?.split("?", 1) ?? [];
    switch (path) {
      case "/mcp":
        return serveMcp(exchange, options);
      case "/health":
        return replyJson(response, 200, options.report());
      case "/connected":
      case "/decision":
      case "/went-on":
        return (await loadPart(() => import("./hook-requests.ts"))).serveHook(path, exchange, options);
      default:
        throw httpError(404, "There is nothing here: MCP is served at /mcp");
    }
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    const admission = guard(request);
    if (!admission.admitted) {
      // A client without a token learns that we are alive, and nothing else.
      if (admission.status === 401 && request.url === "/health") {
        return replyJson(response, 200, { status: "ok" });
      }
      const { status, message } = admission;
      tellOfRefusal(status, message);
      return replyText(response, status, message);
    }
    const { agent } = admission;
    route({ request, response, agent }).catch((error: unknown) => replyFailure(response, error, onEvent));
  };
}

/** `/mcp`: MCP over Streamable HTTP with sessions, protocol versions up to 2025-11-25. */
async function serveMcp(exchange: Exchange, options: EndpointOptions): Promise<void> {
  const { sessions } = options;
  switch (exchange.request.method) {
    case "POST":
      return post(exchange, options);
    case "GET":
      return openStream(exchange, sessions);
    case "DELETE":
      await sessions.end(findSession(exchange, sessions), "it said goodbye");
      exchange.response.writeHead(200).end();
      return;
    default:
      throw httpError(405, `/mcp answers to GET, POST and DELETE, not to ${exchange.request.method}`, {
        headers: { allow: "GET, POST, DELETE" },
      });
  }
}

async function post(exchange: Exchange, options: EndpointOptions): Promise<void> {
  const { request, response } = exchange;
  const body = await readPostedJson(request);
  if (request.headers["mcp-session-id"] === undefined && isObject(body) && body.method === "initialize") {
    return initialize(exchange, body, options);
  }
  const session = findSession(exchange, options.sessions);
  checkProtocolVersion(request);
  session.lastSeen = performance.now();
  const requests = toMessages(body).filter((message) => message.kind === "request");
  const answers = await Promise.all(
    requests.map((message) => answerRequest(message, () => dispatch(message, session, options))),
  );
  // contract 1: a notification must be answered 202, or the CLI never opens its stream
  if (answers.length === 0) response.writeHead(202).end();
  else replyJson(response, 200, Array.isArray(body) ? answers : answers[0], sessionHeader(session));
}

/** The schemas that check arguments are loaded with the first call, not at the start. */
const toolCalls = createLaterPart(() => import("./tool-calls.ts"));

/**
 * The result of a request within a session: the part of MCP that a server with tools alone must speak.
 * @throws RpcError for what is answered with an error.
 */
async function dispatch(request: RpcRequest, session: Session, options: EndpointOptions): Promise<object> {
  const { book, editor, sharing } = options;
  switch (request.method) {
    case "ping":
      return {};
    case "tools/list":
      return { tools: session.takesComments ? await withCapabilities(options) : offeredTools(book) };
    case "tools/call": {
      const { callTool } = await toolCalls.get();
      const { name, arguments: input = {} } = request.params;
      return callTool(name, input, session, { editor, sharing, roots: book.roots });
    }
    case "initialize":
      throw new RpcError(errorCodes.invalidRequest, "This session has been initialized already");
    default:
      throw new RpcError(errorCodes.methodNotFound, `Method not found: ${request.method}`);
  }
}

/** Loaded for those who ask: what the CLIs are sent stays ready made. */
async function withCapabilities({ book, editor }: EndpointOptions): Promise<object> {
  const { listCapabilities } = await loadPart(() => import("./optional-capabilities.ts"));
  return [...offeredTools(book), ...listCapabilities(editor)];
}
