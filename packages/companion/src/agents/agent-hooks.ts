import { claudeHooks } from "./claude-code/hooks.ts";
import { codexHooks } from "./codex-cli/hooks.ts";
import { copilotHooks } from "./copilot-cli/hooks.ts";
import { geminiHooks } from "./gemini-family/gemini/hooks.ts";
import { qwenHooks } from "./gemini-family/qwen/hooks.ts";
import type { AgentHooks } from "./hooks.ts";

/** By the agent's name as typed. Nothing else of an agent is loaded: a CLI waits for each hook. */
export const agentHooks: Readonly<Record<string, AgentHooks>> = {
  claude: claudeHooks,
  gemini: geminiHooks,
  qwen: qwenHooks,
  codex: codexHooks,
  copilot: copilotHooks,
};
