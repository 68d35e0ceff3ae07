import type { AgentName } from "../agents.ts";
import { context } from "./context.ts";
import { diffs } from "./diffs.ts";
import { discovery } from "./discovery.ts";
import { lifecycle } from "./lifecycle.ts";
import type { Level, Requirement } from "./requirement.ts";
import { security } from "./security.ts";
import { transport } from "./transport.ts";

/** Every rule, in the order of docs/reference/contract.md. */
export const requirementGroups = { transport, security, discovery, context, diffs, lifecycle } as const;

export type Group = keyof typeof requirementGroups;

export const groups: readonly Group[] = [
  "transport",
  "security",
  "discovery",
  "context",
  "diffs",
  "lifecycle",
];

export const groupTitles: Readonly<Record<Group, string>> = {
  transport: "Transport and MCP",
  security: "Security",
  discovery: "Discovery",
  context: "Context",
  diffs: "Diffs",
  lifecycle: "Lifecycle",
};

export const requirements: readonly Requirement[] = groups.flatMap((group) => requirementGroups[group]);

/** @throws Error for an id that no rule has. */
export function requirementOf(id: string): Requirement {
  const found = requirements.find((requirement) => requirement.id === id);
  if (!found) throw new Error(`there is no requirement ${id}`);
  return found;
}

/** The group whose letter an id has. @throws Error for an id that no rule has. */
export function groupOf(id: string): Group {
  const found = groups.find((group) => requirementGroups[group].some((requirement) => requirement.id === id));
  if (!found) throw new Error(`there is no requirement ${id}`);
  return found;
}

/** The agent that some requirements are for; undefined when they are for all. */
export function agentOf(ids: readonly string[]): AgentName | undefined {
  return ids.map((id) => requirementOf(id).agent).find((agent) => agent !== undefined);
}

const order: readonly Level[] = ["MAY", "SHOULD", "MUST"];

/** The strictest of the levels of some requirements. */
export function levelOf(ids: readonly string[]): Level {
  const highest = Math.max(...ids.map((id) => order.indexOf(requirementOf(id).level)));
  return order[highest] ?? "MAY";
}

export type { Level, Requirement, Source } from "./requirement.ts";
