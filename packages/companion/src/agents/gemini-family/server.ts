import { createServer } from "node:http";
import type { ContextFeed } from "../../core/context-feed.ts";
import type { EventHub } from "../../core/events.ts";
import type { Sessions } from "../../core/sessions.ts";
import { createLaterPart } from "../../system/later-part.ts";
import { httpLimits, listenOnLoopback, whyUnreachable } from "../../transport/loopback.ts";
import type { HealthReport } from "./contract/health.ts";
import { createEndpoint, type EndpointOptions } from "./endpoint.ts";
import { toIdeContext } from "./frames.ts";
import { SessionRegistry } from "./session-registry.ts";

export interface CompanionServerOptions
  extends Pick<EndpointOptions, "version" | "credentials" | "book" | "editor" | "sharing" | "onEvent"> {
  readonly feed: ContextFeed;
  readonly connections: Sessions;
  /** All events, the reviews' included. */
  readonly subscribe: EventHub["subscribe"];
  /** What `GET /health` answers to a holder of a token, besides what the server knows itself. */
  readonly describe: () => Pick<HealthReport, "editor" | "roots" | "paused">;
}

export interface CompanionServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Starts the MCP server on a free port of 127.0.0.1.
 * @throws Error when no port can be opened.
 */
export async function startServer(options: CompanionServerOptions): Promise<CompanionServer> {
  const http = createServer(httpLimits);
  const warn = (message: string) => options.onEvent({ kind: "warning", message });
  const onTrouble = (error: Error) => warn(`a connection was turned away: ${error.message}`);
  const port = await listenOnLoopback(http, { onTrouble });
  const sessions = new SessionRegistry({
    ...options,
    agents: options.credentials.map(({ agent }) => agent),
  });
  const report = () => toHealthReport(sessions, options);
  const sessionless = createLaterPart(async () => {
    const module = await import("./sessionless-endpoint.ts");
    return new module.SessionlessEndpoint(options);
  });
  const watch = createLaterPart(async () => {
    const module = await import("./watch-endpoint.ts");
    return new module.WatchEndpoint({
      report: () => ({ ...report(), context: toIdeContext(options.feed.current) }),
      subscribe: options.subscribe,
    });
  });
  void whyUnreachable(port).then((reason) => reason !== undefined && warn(reason));
  http.on("request", createEndpoint(port, { ...options, sessions, sessionless, watch, report }));
  return {
    port,
    async close() {
      http.close();
      await sessions.close();
      await (await sessionless.made())?.close();
      (await watch.made())?.close();
      http.closeAllConnections();
    },
  };
}

function toHealthReport(sessions: SessionRegistry, options: CompanionServerOptions): HealthReport {
  return {
    status: "ok",
    version: options.version,
    pid: process.pid,
    ...options.describe(),
    // Also those that are connected by another protocol: they are streams themselves.
    sessions: options.connections.all.map(({ id, agent, client: { pid }, connectedAt }) => ({
      id,
      agent,
      ...(pid !== undefined && { pid }),
      connectedAt,
      streaming: sessions.all.find((session) => session.id === id)?.isStreaming ?? true,
    })),
    requests: [...options.connections.requests].map(([agent, requestedAt]) => ({ agent, requestedAt })),
    diffs: options.book.open.map(({ filePath, agent, openedAt }) => ({ filePath, agent, openedAt })),
  };
}
