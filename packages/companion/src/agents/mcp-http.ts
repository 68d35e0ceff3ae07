import type { IncomingMessage, ServerResponse } from "node:http";
import { safeText } from "../files/safe-text.ts";
import { isObject, type JsonObject } from "../system/json.ts";
import { EventStream } from "../transport/event-stream.ts";
import { answerRequest, errorCodes, RpcError, type RpcRequest } from "../transport/json-rpc.ts";
import { accepts, readPostedJson, toMessage, toMessages } from "../transport/posted-messages.ts";
import { httpError, replyJson } from "../transport/reply.ts";

/** The versions of MCP that have sessions, newest first. */
const versions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/** What a client says of itself at `initialize`. */
export interface Introduction {
  readonly client: { readonly name: string; readonly version: string };
  /** For people; its name where it has none. */
  readonly title: string;
  readonly capabilities: JsonObject;
}

/** Calls back when the one who has asked is gone: then nobody hears the answer. */
export type OnAway = (listener: () => void) => void;

/** What a server of tools does within MCP over Streamable HTTP, with sessions. */
export interface McpService<Session extends { readonly id: string }> {
  /** Of the server. */
  readonly version: string;
  /** What it says of its tools at `initialize`. */
  readonly tools?: object;
  /** Its answer to a notification names the session. */
  readonly acknowledgesWithSession?: true;
  /** @throws HttpError when there is no room */
  open(introduction: Introduction, request: IncomingMessage): Promise<Session>;
  find(id: string): Session | undefined;
  listTools(session: Session): object | Promise<object>;
  /** @throws RpcError for what is answered with an error */
  callTool(params: JsonObject, session: Session, onAway: OnAway): Promise<object>;
  /** @param open answers the request by the stream */
  openStream(session: Session, open: () => EventStream, request: IncomingMessage): void;
  /** The client says goodbye. */
  end(session: Session): Promise<void>;
}

/**
 * Serves one request.
 * @throws HttpError for what is answered with a status and a sentence
 */
export async function serveMcp<Session extends { readonly id: string }>(
  request: IncomingMessage,
  response: ServerResponse,
  service: McpService<Session>,
): Promise<void> {
  switch (request.method) {
    case "POST":
      return post(request, response, service);
    case "GET": {
      if (!accepts(request, "text/event-stream"))
        throw httpError(
          406,
          "A GET on /mcp opens a stream: its Accept header must include text/event-stream",
        );
      const session = findSession(request, service);
      return service.openStream(session, () => new EventStream(response, headerOf(session)), request);
    }
    case "DELETE":
      await service.end(findSession(request, service));
      return void response.writeHead(200).end();
    default:
      throw httpError(405, `/mcp answers to GET, POST and DELETE, not to ${request.method}`, {
        headers: { allow: "GET, POST, DELETE" },
      });
  }
}

async function post<Session extends { readonly id: string }>(
  request: IncomingMessage,
  response: ServerResponse,
  service: McpService<Session>,
): Promise<void> {
  const body = await readPostedJson(request);
  if (isObject(body) && body.method === "initialize") {
    const message = toMessage(body);
    if (message.kind === "notice")
      throw httpError(400, "initialize is a request: it needs an id", { code: errorCodes.invalidRequest });
    let opened: Session | undefined;
    const reply = await answerRequest(message, async () => {
      opened = await service.open(toIntroduction(message), request);
      return introduce(service.version, message.params.protocolVersion, versions, service.tools);
    });
    return replyJson(response, 200, reply, opened && headerOf(opened));
  }
  const session = findSession(request, service);
  const onAway: OnAway = (listener) =>
    void response.once("close", () => response.writableFinished || listener());
  const requests = toMessages(body).filter((message) => message.kind === "request");
  const answers = await Promise.all(
    requests.map((message) => answerRequest(message, () => dispatch(message, session, service, onAway))),
  );
  if (response.destroyed) return;
  // contract 1: a notification must be answered 202, or the CLI never opens its stream
  if (answers.length === 0)
    response.writeHead(202, service.acknowledgesWithSession ? headerOf(session) : {}).end();
  else replyJson(response, 200, Array.isArray(body) ? answers : answers[0], headerOf(session));
}

/** The part of MCP that a server with tools alone must speak. */
async function dispatch<Session extends { readonly id: string }>(
  { method, params }: RpcRequest,
  session: Session,
  service: McpService<Session>,
  onAway: OnAway,
): Promise<object> {
  switch (method) {
    case "ping":
      return {};
    case "tools/list":
      return { tools: await service.listTools(session) };
    case "tools/call":
      return service.callTool(params, session, onAway);
    default:
      throw new RpcError(errorCodes.methodNotFound, `Method not found: ${method}`);
  }
}

/**
 * The session that a request names.
 * @throws HttpError 400 when it names none, or a version of MCP that has none; 404 when it is not, or no longer, the caller's
 */
function findSession<Session extends { readonly id: string }>(
  { headers }: IncomingMessage,
  service: McpService<Session>,
): Session {
  const id = headers["mcp-session-id"];
  if (typeof id !== "string" || id === "")
    throw httpError(400, "The Mcp-Session-Id header is missing: send initialize first");
  const session = service.find(id);
  if (!session)
    throw httpError(404, "This session is unknown or over: send initialize again", {
      code: errorCodes.sessionNotFound,
    });
  const version = headers["mcp-protocol-version"];
  if (typeof version === "string" && !versions.includes(version)) {
    const known = versions.join(", ");
    throw httpError(400, `MCP protocol version ${version} is not supported in a session: ${known} are`);
  }
  return session;
}

/** How a client learns the id of its session. */
const headerOf = ({ id }: { readonly id: string }) => ({ "mcp-session-id": id });

/** @throws RpcError when the parameters are not those of an `initialize` */
function toIntroduction({ params }: RpcRequest): Introduction {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string" || !isObject(capabilities) || !isObject(clientInfo)) {
    const message = "initialize needs protocolVersion, capabilities and clientInfo";
    throw new RpcError(errorCodes.invalidParams, message);
  }
  const client = { name: shortText(clientInfo.name), version: shortText(clientInfo.version) };
  const title = typeof clientInfo.title === "string" ? shortText(clientInfo.title) : client.name;
  return { client, title, capabilities };
}

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value.slice(0, 100).trim() : "";
  return text === "" ? "unknown" : safeText(text);
}

/**
 * The result of `initialize`.
 * @param version of the companion
 * @param asked the version of the protocol that the agent has asked for
 * @param known those that are spoken, newest first
 * @param tools what is said of the tools
 */
export function introduce(
  version: string,
  asked: unknown,
  known: readonly string[],
  tools: object = { listChanged: true },
) {
  return {
    protocolVersion: known.find((one) => one === asked) ?? known[0],
    capabilities: { tools },
    serverInfo: { name: "ide-companion", version },
  };
}
