import { gemini } from "./gemini/agent.ts";
import type { FamilyAgent } from "./quirks.ts";
import { qwen } from "./qwen/agent.ts";

/** The agent CLIs of this family. A new one is a folder of three files, and one more entry here. */
export const geminiFamilyAgents: readonly FamilyAgent[] = [gemini, qwen];
