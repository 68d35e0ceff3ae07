import type { Agent, AgentWithCli } from "./agent.ts";
import { claude, opencode } from "./claude-code/claude.ts";
import { codex } from "./codex-cli/codex.ts";
import { copilot } from "./copilot-cli/copilot.ts";
import { geminiFamilyAgents } from "./gemini-family/agents.ts";
import { ownClients } from "./gemini-family/own-clients.ts";

/** Every agent CLI that we serve. */
export const agents: readonly AgentWithCli[] = [...geminiFamilyAgents, claude, codex, copilot];

/** The same without what only the commands need. */
export const servedAgents: readonly Agent[] = agents;

/** Every agent CLI whose hooks call us: also one that is served as another is, by whose files it finds us. */
export const hookedAgents: readonly AgentWithCli[] = [...agents, opencode];

/** @param name as typed; returned where it is none of them */
export const displayNameOf = (name: string): string =>
  hookedAgents.find((agent) => agent.name === name)?.displayName ?? name;

/** Our own commands: they find each companion of ours by its files, whatever agents it serves. */
export const ownCommands: readonly AgentWithCli[] = [ownClients];

/** All that find a companion of ours by its files. */
export const discoveryClients: readonly AgentWithCli[] = [...ownCommands, ...agents];
