import type { AgentName } from "../../../agents.ts";
import { createRuleBook } from "../../requirement.ts";
import { context } from "./context.ts";
import { diffs } from "./diffs.ts";
import { discovery, lifecycle } from "./discovery.ts";
import { security } from "./security.ts";
import { transport } from "./transport.ts";

/** The contract of Gemini CLI and Qwen Code. */
export const rules = createRuleBook({
  transport: { title: "Transport and MCP", requirements: transport },
  security: { title: "Security", requirements: security },
  discovery: { title: "Discovery", requirements: discovery },
  context: { title: "Context", requirements: context },
  diffs: { title: "Diffs", requirements: diffs },
  lifecycle: { title: "Lifecycle", requirements: lifecycle },
});

export const { requirements, requirementOf } = rules;

/** The agent that some requirements are for; undefined when they are for all. */
export function agentOf(ids: readonly string[]): AgentName | undefined {
  return ids.map((id) => requirementOf(id).agent).find((agent) => agent !== undefined);
}

export type { Level, Requirement, Source } from "../../requirement.ts";
