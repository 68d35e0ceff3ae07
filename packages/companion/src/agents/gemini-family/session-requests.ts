import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reviews } from "../../core/changes/reviews.ts";
import { safeText } from "../../files/safe-text.ts";
import { isObject } from "../../system/json.ts";
import { EventStream } from "../../transport/event-stream.ts";
import { answerRequest, errorCodes, RpcError, type RpcRequest } from "../../transport/json-rpc.ts";
import { accepts, toMessage } from "../../transport/posted-messages.ts";
import { httpError, replyJson } from "../../transport/reply.ts";
import { type ListedTool, toolList } from "./contract/tool-list.gen.ts";
import type { FamilyAgent } from "./quirks.ts";
import type { Session } from "./session.ts";
import { type Introduction, maxSessions, type SessionRegistry } from "./session-registry.ts";

/** One request from an agent that the guard has let in. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly agent: FamilyAgent;
}

/** The protocol versions that know sessions, newest first. */
const sessionVersions: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26"];

/**
 * Begins a session.
 * @throws HttpError when this is no request, or there is no room
 */
export async function initialize(
  { response, agent }: Exchange,
  body: unknown,
  { sessions, version }: { readonly sessions: SessionRegistry; readonly version: string },
): Promise<void> {
  const request = toRequest(body);
  if (!(await sessions.makeRoom(agent))) {
    throw httpError(
      503,
      `This companion already serves ${maxSessions} sessions of ${agent.displayName}; close one of the CLIs first.`,
    );
  }
  let session: Session | undefined;
  const reply = await answerRequest(request, async () => {
    const introduction = parseInitialize(request);
    session = sessions.open(agent, introduction);
    return toInitializeResult(introduction, version);
  });
  replyJson(response, 200, reply, session ? sessionHeader(session) : {});
}

/**
 * `GET /mcp`: the stream on which a session hears contexts and outcomes.
 * @throws HttpError for what is answered with a status and a sentence
 */
export function openStream(exchange: Exchange, sessions: SessionRegistry): void {
  const { request, response } = exchange;
  if (!accepts(request, "text/event-stream")) {
    throw httpError(406, "A GET on /mcp opens a stream: its Accept header must include text/event-stream");
  }
  const session = findSession(exchange, sessions);
  checkProtocolVersion(request);
  const stream = () => new EventStream(response, sessionHeader(session));
  sessions.openStream(session, stream, lastEventId(request));
}

/**
 * The session that a request names.
 * @throws HttpError 400 when it names none, 404 when it is not, or no longer, this agent's.
 */
export function findSession({ request, agent }: Exchange, sessions: SessionRegistry): Session {
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

/** @throws HttpError 400 for a version of MCP that has no sessions */
export function checkProtocolVersion({ headers }: IncomingMessage): void {
  const version = headers["mcp-protocol-version"];
  if (typeof version === "string" && !sessionVersions.includes(version)) {
    const known = sessionVersions.join(", ");
    throw httpError(400, `MCP protocol version ${version} is not supported in a session: ${known} are`);
  }
}

/** How a client learns the id of its session. */
export function sessionHeader(session: Session): Readonly<Record<string, string>> {
  return { "mcp-session-id": session.id };
}

/** What a resuming client has received last, when it says so in a way that we have issued. */
function lastEventId(request: IncomingMessage): number | undefined {
  const value = request.headers["last-event-id"];
  const [, outcome] = typeof value === "string" ? (/^(\d{1,15})(?:-\d+)?$/.exec(value) ?? []) : [];
  return outcome === undefined ? undefined : Number(outcome);
}

function toRequest(value: unknown): RpcRequest {
  const message = toMessage(value);
  if (message.kind === "request") return message;
  throw httpError(400, "initialize is a request: it needs an id", { code: errorCodes.invalidRequest });
}

/** @throws RpcError when the parameters are not those of an `initialize`. */
function parseInitialize({ params }: RpcRequest): Introduction {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== "string" || !isObject(capabilities) || !isObject(clientInfo)) {
    const message = "initialize needs protocolVersion, capabilities and clientInfo";
    throw new RpcError(errorCodes.invalidParams, message);
  }
  const client = { name: shortText(clientInfo.name), version: shortText(clientInfo.version) };
  const title = typeof clientInfo.title === "string" ? clientInfo.title : client.name;
  // The same announcement as a plugin's.
  const { experimental } = capabilities;
  const isAnnounced = isObject(experimental) && isObject(experimental.ideCompanion);
  return { client, protocolVersion, announced: isAnnounced ? shortText(title) : undefined };
}

/** The result of `initialize`: the version asked for, or else the newest that we serve. */
function toInitializeResult({ protocolVersion }: Introduction, version: string) {
  const [newest] = sessionVersions;
  return {
    protocolVersion: sessionVersions.includes(protocolVersion) ? protocolVersion : newest,
    capabilities: { tools: {} },
    serverInfo: { name: "ide-companion", version },
  };
}

function shortText(value: unknown): string {
  const text = typeof value === "string" ? value.slice(0, 100).trim() : "";
  return text === "" ? "unknown" : safeText(text);
}

/** The tools of the contract that agents may call here. */
export const offeredTools = ({ agentAccept }: Reviews): readonly ListedTool[] =>
  agentAccept ? toolList : toolList.filter(({ name }) => name !== "acceptDiff");
