import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { ContextFeed } from "../../core/context-feed.ts";
import type { OptionalCapabilities } from "../../core/editor.ts";
import type { EventHub, OnCompanionEvent } from "../../core/events.ts";
import type { Reviews } from "../../core/reviews.ts";
import type { Sessions } from "../../core/sessions.ts";
import { createLaterPart, type LaterPart, PartError } from "../../system/later-part.ts";
import { type Credential, createGuard } from "../../transport/guard.ts";
import { httpLimits } from "../../transport/http-limits.ts";
import { errorCodes } from "../../transport/json-rpc.ts";
import { listenOnLoopback, whyUnreachable } from "../../transport/loopback.ts";
import { createRefusalNews } from "../../transport/refusal-news.ts";
import { HttpError, httpError, replyError, replyJson, replyText } from "../../transport/reply.ts";
import type { HealthReport } from "./contract/health.ts";
import { serveEvents } from "./events-endpoint.ts";
import { toIdeContext } from "./ide-context.ts";
import { type McpEndpointOptions, serveMcp } from "./mcp-endpoint.ts";
import type { SharedFiles } from "./optional-capabilities.ts";
import type { FamilyAgent } from "./quirks.ts";
import { SessionRegistry } from "./session-registry.ts";
import type { WatchEndpoint } from "./watch-endpoint.ts";

export interface CompanionServerOptions {
  readonly version: string;
  readonly credentials: readonly Credential<FamilyAgent>[];
  readonly feed: ContextFeed;
  readonly book: Reviews;
  readonly connections: Sessions;
  readonly editor: OptionalCapabilities;
  readonly sharing: SharedFiles;
  readonly onEvent: OnCompanionEvent;
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
  const sessionless = createLaterPart(async () => {
    const module = await import("./sessionless-endpoint.ts");
    return new module.SessionlessEndpoint(options);
  });
  const watch = createLaterPart(async () => {
    const report = () => ({
      ...toHealthReport(sessions, options),
      context: toIdeContext(options.feed.current),
    });
    const module = await import("./watch-endpoint.ts");
    return new module.WatchEndpoint({ report, subscribe: options.subscribe });
  });
  void whyUnreachable(port).then((reason) => reason !== undefined && warn(reason));
  http.on("request", createRouter(port, { ...options, sessions, sessionless, watch }));
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

type RouterOptions = CompanionServerOptions &
  McpEndpointOptions & {
    /** Loaded when the first watcher comes. */
    readonly watch: LaterPart<WatchEndpoint>;
  };

function createRouter(port: number, options: RouterOptions) {
  const { sessions } = options;
  const guard = createGuard(port, options.credentials);
  const tellOfRefusal = createRefusalNews((status, reason) =>
    options.onEvent({ kind: "request-refused", status, reason }),
  );

  async function route(
    request: IncomingMessage,
    response: ServerResponse,
    agent: FamilyAgent,
  ): Promise<void> {
    switch (request.url?.split("?", 1)[0]) {
      case "/mcp":
        return serveMcp({ request, response, agent }, options);
      case "/events":
        return serveEvents({ request, response, agent }, sessions);
      case "/watch":
        return (await options.watch.get()).serve(request, response);
      case "/health":
        return replyJson(response, 200, toHealthReport(sessions, options));
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
    route(request, response, admission.agent).catch((error: unknown) => fail(response, error, options));
  };
}

function fail(response: ServerResponse, error: unknown, { onEvent }: RouterOptions): void {
  const answer = toHttpError(error);
  const message = error instanceof Error ? error.message : String(error);
  if (answer !== error) onEvent({ kind: "warning", message: `a request failed: ${message}` });
  if (response.headersSent || response.destroyed) return;
  replyError(response, answer);
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof PartError) return new HttpError(503, error.message, errorCodes.internal, {});
  return new HttpError(500, "Internal error", errorCodes.internal, {});
}

function toHealthReport(sessions: SessionRegistry, options: CompanionServerOptions): HealthReport {
  return {
    status: "ok",
    version: options.version,
    pid: process.pid,
    ...options.describe(),
    sessions: sessions.all.map(({ info: { id, agent, connectedAt }, isStreaming }) => ({
      id,
      agent,
      connectedAt,
      streaming: isStreaming,
    })),
    diffs: options.book.open.map(({ filePath, agent, openedAt }) => ({ filePath, agent, openedAt })),
  };
}
