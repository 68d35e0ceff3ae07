import { EventStream } from "../../transport/event-stream.ts";
import { httpError } from "../../transport/reply.ts";
import { eventsDialect } from "./frames.ts";
import { findSession, lastEventId, type McpExchange } from "./mcp-endpoint.ts";
import type { SessionRegistry } from "./session-registry.ts";

/**
 * `GET /events`: the news as an existing Neovim companion words them. A client that names its session gets
 * that session's outcomes; one that names none hears the contexts, and the outcomes of its agent's sessions that have no
 * stream.
 * @throws HttpError for what is answered with a status and a sentence.
 * @see docs/reference/contract.md#1-transport
 */
export function serveEvents(exchange: McpExchange, sessions: SessionRegistry): void {
  const { request, response } = exchange;
  if (request.method !== "GET") {
    throw httpError(405, `/events answers to GET only, not to ${request.method}`, {
      headers: { allow: "GET" },
    });
  }
  if (request.headers["mcp-session-id"] === undefined) {
    sessions.openObserver(exchange.agent, () => new EventStream(response, {}));
    return;
  }
  const session = findSession(exchange, sessions);
  sessions.openStream(session, () => new EventStream(response, {}), eventsDialect, lastEventId(request));
}
