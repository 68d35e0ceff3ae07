import type { IncomingMessage, ServerResponse } from "node:http";
import type { OptionalCapabilities } from "../../core/editor.ts";
import type { Reviews } from "../../core/reviews.ts";
import type { LaterPart } from "../../system/later-part.ts";
import { EventStream } from "../../transport/event-stream.ts";
import { parseJsonIncrementally } from "../../transport/incremental-json.ts";
import {
  errorCodes,
  isObject,
  parseMessage,
  RpcError,
  type RpcMessage,
  type RpcRequest,
} from "../../transport/json-rpc.ts";
import { httpError, replyJson, replyLargeJson } from "../../transport/reply.ts";
import { readRequestBody } from "../../transport/request-body.ts";
import { maxBodyBytes } from "./contract/limits.ts";
import { mcpDialect } from "./frames.ts";
import type { SharedFiles } from "./optional-capabilities.ts";
import type { FamilyAgent } from "./quirks.ts";
import type { Session } from "./session.ts";
import { dispatch, parseInitialize, sessionVersions, toInitializeResult } from "./session-dispatch.ts";
import { maxSessions, type SessionRegistry } from "./session-registry.ts";
import type { SessionlessEndpoint } from "./sessionless-endpoint.ts";

/** Messages in one batch; the protocol allowed batches up to 2025-03-26. */
const maxBatch = 100;

export interface McpEndpointOptions {
  readonly version: string;
  readonly sessions: SessionRegistry;
  readonly book: Reviews;
  readonly editor: OptionalCapabilities;
  readonly sharing: SharedFiles;
  /** Serves protocol versions that know no sessions; loaded when the first such client comes. */
  readonly sessionless: LaterPart<SessionlessEndpoint>;
}

/** One request to `/mcp` from an agent that the guard has let in. */
export interface McpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly agent: FamilyAgent;
}

/**
 * `/mcp`: MCP over Streamable HTTP with sessions, protocol versions up to 2025-11-25; later ones, which
 * know no sessions, are handed on.
 * @throws HttpError for what is answered with a status and a sentence.
 * @see docs/reference/contract.md#1-transport
 */
export async function serveMcp(exchange: McpExchange, options: McpEndpointOptions): Promise<void> {
  switch (exchange.request.method) {
    case "POST":
      return post(exchange, options);
    case "GET":
      return openStream(exchange, options);
    case "DELETE":
      await options.sessions.end(findSession(exchange, options.sessions), "it said goodbye");
      exchange.response.writeHead(200).end();
      return;
    default:
      throw httpError(405, `/mcp answers to GET, POST and DELETE, not to ${exchange.request.method}`, {
        headers: { allow: "GET, POST, DELETE" },
      });
  }
}

async function post(exchange: McpExchange, options: McpEndpointOptions): Promise<void> {
  const { request, response } = exchange;
  checkPostHead(request);
  const body = await readJson(request);
  if (request.headers["mcp-session-id"] === undefined) {
    if (!isObject(body) || body.method !== "initialize") {
      return (await options.sessionless.get()).serve(exchange, body);
    }
    return initialize(exchange, toRequest(body), options);
  }
  const session = findSession(exchange, options.sessions);
  checkProtocolVersion(request);
  session.lastSeen = performance.now();
  const requests = toMessages(body).filter((message) => message.kind === "request");
  const { book, editor, sharing } = options;
  const answers = await Promise.all(
    requests.map((message) => answer(message, () => dispatch(message, session, { book, editor, sharing }))),
  );
  // contract 1: a notification must be answered 202, or the CLI never opens its stream
  if (answers.length === 0) response.writeHead(202).end();
  else
    await replyLargeJson(response, 200, Array.isArray(body) ? answers : answers[0], sessionHeader(session));
}

async function initialize(
  { response, agent }: McpExchange,
  request: RpcRequest,
  { sessions, version }: McpEndpointOptions,
): Promise<void> {
  if (!(await sessions.makeRoom(agent))) {
    throw httpError(
      503,
      `This companion already serves ${maxSessions} sessions of ${agent.displayName}; close one of the CLIs first.`,
    );
  }
  let session: Session | undefined;
  const reply = await answer(request, async () => {
    const introduction = parseInitialize(request);
    session = sessions.open(agent, introduction);
    return toInitializeResult(introduction, version);
  });
  replyJson(response, 200, reply, session ? sessionHeader(session) : {});
}

function openStream(exchange: McpExchange, options: McpEndpointOptions): void {
  const { request, response } = exchange;
  if (!accepts(request, "text/event-stream")) {
    throw httpError(406, "A GET on /mcp opens a stream: its Accept header must include text/event-stream");
  }
  const session = findSession(exchange, options.sessions);
  checkProtocolVersion(request);
  const stream = () => new EventStream(response, sessionHeader(session));
  options.sessions.openStream(session, stream, mcpDialect, lastEventId(request));
}

/**
 * The session that a request names.
 * @throws HttpError 400 when it names none, 404 when it is not, or no longer, this agent's.
 */
export function findSession({ request, agent }: McpExchange, sessions: SessionRegistry): Session {
  const id = request.headers["mcp-session-id"];
  if (typeof id !== "string" || id === "") {
    throw httpError(400, "The Mcp-Session-Id header is missing: send initialize first");
  }
  const session = sessions.find(id, agent);
  if (session) return session;
  throw httpError(404, "This session is unknown or over: send initialize again", {
    code: errorCodes.sessionNotFound,
  });
}

/** What a resuming client has received last, when it says so in a way that we have issued. */
export function lastEventId(request: IncomingMessage): number | undefined {
  const value = request.headers["last-event-id"];
  const [, outcome] = typeof value === "string" ? (/^(\d{1,15})(?:-\d+)?$/.exec(value) ?? []) : [];
  return outcome === undefined ? undefined : Number(outcome);
}

export function accepts(request: IncomingMessage, type: string): boolean {
  const accept = request.headers.accept ?? "*/*";
  return accept.includes(type) || accept.includes("*/*");
}

function checkPostHead(request: IncomingMessage): void {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "none";
  if (type !== "application/json") {
    throw httpError(415, `The Content-Type must be application/json, got ${type}`);
  }
  if (!accepts(request, "application/json") || !accepts(request, "text/event-stream")) {
    throw httpError(
      406,
      `The Accept header must include application/json and text/event-stream, got ${request.headers.accept}`,
    );
  }
}

function checkProtocolVersion({ headers }: IncomingMessage): void {
  const version = headers["mcp-protocol-version"];
  if (typeof version === "string" && !sessionVersions.includes(version)) {
    const known = sessionVersions.join(", ");
    throw httpError(400, `MCP protocol version ${version} is not supported in a session: ${known} are`);
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readRequestBody(request, maxBodyBytes);
  switch (body.kind) {
    case "text":
      return parseJson(body.bytes);
    case "too-large":
      throw httpError(413, `The request is larger than ${maxBodyBytes >> 20} MiB, the most we take`);
    case "not-utf-8":
      throw httpError(400, "The request is not valid UTF-8", { code: errorCodes.parse });
    case "aborted":
      throw httpError(400, "The request ended in the middle");
  }
}

async function parseJson(bytes: Buffer): Promise<unknown> {
  try {
    return await parseJsonIncrementally(bytes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof RangeError) throw httpError(413, `The request is no message: ${why}`);
    throw httpError(400, `The request is not valid JSON: ${why}`, { code: errorCodes.parse });
  }
}

function toMessages(body: unknown): RpcMessage[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length === 0 || messages.length > maxBatch) {
    const message = `A batch holds 1 to ${maxBatch} messages, got ${messages.length}`;
    throw httpError(400, message, { code: errorCodes.invalidRequest });
  }
  return messages.map(toMessage);
}

function toMessage(value: unknown): RpcMessage {
  try {
    return parseMessage(value);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw httpError(400, error.message, { code: error.code });
  }
}

function toRequest(value: unknown): RpcRequest {
  const message = toMessage(value);
  if (message.kind === "request") return message;
  throw httpError(400, "initialize is a request: it needs an id", { code: errorCodes.invalidRequest });
}

/** A request's answer, whether it succeeds or is answered with an error. */
async function answer({ id }: RpcRequest, run: () => Promise<object>): Promise<object> {
  try {
    return { jsonrpc: "2.0", id, result: await run() };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } };
  }
}

function sessionHeader(session: Session): Readonly<Record<string, string>> {
  return { "mcp-session-id": session.id };
}
