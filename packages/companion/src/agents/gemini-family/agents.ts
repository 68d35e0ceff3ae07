import { gemini } from "./gemini.ts";
import type { FamilyAgent } from "./quirks.ts";
import { qwen } from "./qwen.ts";

/** The agent CLIs of this family. A new one is one file, and one more entry here. */
export const geminiFamilyAgents: readonly FamilyAgent[] = [gemini, qwen];
