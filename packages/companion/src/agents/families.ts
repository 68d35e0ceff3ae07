import type { AgentIdentity } from "./agent.ts";
import { claude } from "./claude-code/claude.ts";
import { codex } from "./codex-cli/codex.ts";
import { copilot } from "./copilot-cli/copilot.ts";
import type { AgentFamily } from "./family.ts";
import { geminiFamily } from "./gemini-family/family.ts";

/** Every family of agents that a companion serves. A new one is a folder, and one more entry here. */
export const families: readonly AgentFamily[] = [
  geminiFamily,
  loadedLater(claude, async () => (await import("./claude-code/family.ts")).claudeCodeFamily),
  loadedLater(codex, async () => (await import("./codex-cli/family.ts")).codexFamily),
  loadedLater(copilot, async () => (await import("./copilot-cli/family.ts")).copilotFamily),
];

/** A family of one agent, whose code a companion loads when it serves it: the families before it wait for none of it. */
function loadedLater(agent: AgentIdentity, load: () => Promise<AgentFamily>): AgentFamily {
  return { agents: [agent], serve: async (...parts) => (await load()).serve(...parts) };
}
