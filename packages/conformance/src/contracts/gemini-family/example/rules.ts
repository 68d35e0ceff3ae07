import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { type ContextRules, contextRules } from "./context.ts";
import { type DiscoveryRules, discoveryRules } from "./discovery.ts";
import { type GuardRules, guardRules } from "./guard.ts";
import { type ExampleSession, type SessionRules, sessionRules } from "./session.ts";
import { type ToolRules, toolRules } from "./tools.ts";

/** How the example implements MCP, without the tools. */
const mcpRules = {
  endpoint: "/mcp",
  versions: ["2025-11-25", "2025-06-18", "2025-03-26"],
  negotiate: (asked: string, versions: readonly string[]) => (versions.includes(asked) ? asked : versions[0]),
  capabilities: { tools: {} } as object,
  /** What a notification is answered with. */
  notificationStatus: 202,
  /** What is no JSON, or no JSON-RPC. */
  garbageStatus: 400,
  envelope: (id: unknown, body: object) => ({ jsonrpc: "2.0", id, ...body }),
  ping: (): object => ({ result: {} }),
  unknownMethod: (method: string): object => ({
    error: { code: -32601, message: `there is no method ${method}` },
  }),
  checksVersionHeader: true,
  /** Whether GET opens a stream. */
  streams: true,
  unknownSession: 404 as number | undefined,
  missingSession: 400 as number | undefined,
  maxSessions: Number.POSITIVE_INFINITY,
  /** Whether a session is answered while there is a newer one. */
  answers: (_session: ExampleSession, _newest: ExampleSession | undefined): boolean => true,
  /** What a request of MCP 2026-07-28, which has no session, is answered with. */
  laterProtocol: 400,
  /** What `/health` answers without a token. */
  health: (_secrets: object): object => ({ status: "ok" }),
};

export type McpRules = typeof mcpRules;

/** A notification of MCP under the names of `/events`. */
function toEvent({ method, params }: { method: string; params: object }): object {
  return method === "ide/contextUpdate"
    ? { method: "notifications/context-update", params: toEventContext(params) }
    : { method: `notifications/${method}`, params };
}

function toEventContext(context: object): Json {
  const state = "workspaceState" in context && isJson(context.workspaceState) ? context.workspaceState : {};
  const files = Array.isArray(state.openFiles) ? state.openFiles.filter(isJson) : [];
  const active = files.find(({ isActive }) => isActive === true);
  return {
    openFiles: files.map(({ path, timestamp }) => ({ path, timestamp })),
    ...(active && {
      activeFile: { path: active.path, cursorPosition: active.cursor, selection: active.selectedText },
    }),
  };
}

/** How the example serves `/events`. */
const eventsRules = { toEvent };

export type EventsRules = typeof eventsRules;

/** Everything in which companions may differ. A broken companion has one of these rules changed. */
export type Rules = GuardRules &
  McpRules &
  SessionRules &
  ContextRules &
  ToolRules &
  DiscoveryRules &
  EventsRules;

export const goodRules: Rules = {
  ...guardRules,
  ...mcpRules,
  ...sessionRules,
  ...contextRules,
  ...toolRules,
  ...discoveryRules,
  ...eventsRules,
};
