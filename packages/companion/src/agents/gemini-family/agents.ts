import { gemini as servedGemini } from "./gemini/agent.ts";
import type { FamilyAgent } from "./quirks.ts";
import { qwen as servedQwen } from "./qwen/agent.ts";

export const gemini: FamilyAgent = {
  ...servedGemini,
  loadCli: async () => (await import("./gemini/cli.ts")).geminiCli,
};

export const qwen: FamilyAgent = {
  ...servedQwen,
  loadCli: async () => (await import("./qwen/cli.ts")).qwenCli,
};

/** The agent CLIs of this family. A new one is a folder of three files, and one more entry here. */
export const geminiFamilyAgents: readonly FamilyAgent[] = [gemini, qwen];
