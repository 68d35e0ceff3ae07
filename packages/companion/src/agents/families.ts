import { claudeCodeFamily } from "./claude-code/family.ts";
import { codexFamily } from "./codex-cli/family.ts";
import { copilotFamily } from "./copilot-cli/family.ts";
import type { AgentFamily } from "./family.ts";
import { geminiFamily } from "./gemini-family/family.ts";

/** Every family of agents that a companion serves. A new one is a folder, and one more entry here. */
export const families: readonly AgentFamily[] = [geminiFamily, claudeCodeFamily, codexFamily, copilotFamily];
