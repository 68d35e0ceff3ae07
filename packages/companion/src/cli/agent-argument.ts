import type { Agent } from "../agents/agent.ts";
import { agents } from "../agents/agents.ts";
import { UsageError } from "./invocation.ts";
import { suggest } from "./suggestion.ts";

/**
 * The agent that a word of the command line names.
 * @throws UsageError when there is none of this name
 */
export function findAgent(name: string): Agent {
  const names = agents.map((agent) => agent.name);
  const agent = agents.find((candidate) => candidate.name === name);
  if (agent) return agent;
  throw new UsageError(`there is no agent ${name}: known are ${names.join(", ")}${suggest(name, names)}`);
}
