import type { IncomingMessage, ServerResponse } from "node:http";
import { isObject } from "../../system/json.ts";
import { createLaterPart, loadPart } from "../../system/later-part.ts";
import { bearer, type Credential, createGuard, createRefusalNews, hostsOf } from "../../transport/guard.ts";
import { httpError, replyFailure, replyJson, replyText } from "../../transport/reply.ts";
import type { Core } from "../family.ts";
import { type McpService, serveMcp } from "../mcp-http.ts";
import type { HealthReport } from "./contract/health.ts";
import { type ListedTool, toolList } from "./contract/tool-list.gen.ts";
import type { Exchange } from "./hook-requests.ts";
import type { FamilyAgent } from "./quirks.ts";
import type { Session } from "./session.ts";
import { maxSessions, type SessionRegistry } from "./session-registry.ts";

export interface EndpointOptions {
  readonly core: Core;
  readonly credentials: readonly Credential<FamilyAgent>[];
  readonly sessions: SessionRegistry;
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
  const { core } = options;
  const { emit } = core.events;
  const guard = createGuard(hostsOf(port), options.credentials, bearer(remedy));
  const tellOfRefusal = createRefusalNews(emit);

  async function route(exchange: Exchange): Promise<void> {
    const { request, response, agent } = exchange;
    const [path = ""] = request.url?.split("?", 1) ?? [];
    switch (path) {
      case "/mcp":
        return serveMcp(request, response, toService(agent, options));
      case "/health":
        return replyJson(response, 200, options.report());
      case "/connected":
      case "/decision":
      case "/went-on":
        return (await loadPart(() => import("./hook-requests.ts"))).serveHook(path, exchange, core);
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
    route({ request, response, agent }).catch((error: unknown) => replyFailure(response, error, emit));
  };
}

/** `/mcp` as one agent has it. */
function toService(agent: FamilyAgent, { core, sessions }: EndpointOptions): McpService<Session> {
  return {
    version: core.version,
    tools: {},
    async open({ client, title, capabilities: { experimental } }) {
      if (!(await sessions.makeRoom(agent))) {
        throw httpError(
          503,
          `This companion already serves ${maxSessions} sessions of ${agent.displayName}; close one of the CLIs first.`,
        );
      }
      // The same announcement as a plugin's.
      const isAnnounced = isObject(experimental) && isObject(experimental.ideCompanion);
      return sessions.open(agent, { client, announced: isAnnounced ? title : undefined });
    },
    find(id) {
      const session = sessions.find(id, agent);
      if (session) session.lastSeen = performance.now();
      return session;
    },
    listTools: (session) => (session.takesComments ? withCapabilities(core) : offeredTools(core)),
    async callTool({ name, arguments: input = {} }, session) {
      const { callTool } = await toolCalls.get();
      return callTool(name, input, session, core);
    },
    openStream: (session, open, request) => sessions.openStream(session, open, lastEventId(request)),
    end: (session) => sessions.end(session, "it said goodbye"),
  };
}

/** The schemas that check arguments are loaded with the first call, not at the start. */
const toolCalls = createLaterPart(() => import("./tool-calls.ts"));

/** The tools of the contract that agents may call here. */
const offeredTools = ({ reviews }: Core): readonly ListedTool[] =>
  reviews.agentAccept ? toolList : toolList.filter(({ name }) => name !== "acceptDiff");

/** Loaded for those who ask: what the CLIs are sent stays ready made. */
async function withCapabilities(core: Core): Promise<object> {
  const { listCapabilities } = await toolCalls.get();
  return [...offeredTools(core), ...listCapabilities(core.editor)];
}

/** What a resuming client has received last, when it says so in a way that we have issued. */
function lastEventId(request: IncomingMessage): number | undefined {
  const value = request.headers["last-event-id"];
  const [, outcome] = typeof value === "string" ? (/^(\d{1,15})(?:-\d+)?$/.exec(value) ?? []) : [];
  return outcome === undefined ? undefined : Number(outcome);
}
