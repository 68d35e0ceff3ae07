import { type ContextRules, contextRules } from "./context.ts";
import { type DiscoveryRules, discoveryRules } from "./discovery.ts";
import { type EventsRules, eventsRules } from "./events.ts";
import { type GuardRules, guardRules } from "./guard.ts";
import { type McpRules, mcpRules } from "./mcp.ts";
import { type SessionRules, sessionRules } from "./session.ts";
import { type ToolRules, toolRules } from "./tools.ts";

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
