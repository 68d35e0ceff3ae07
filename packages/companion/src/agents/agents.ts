import type { Agent } from "./agent.ts";
import { gemini } from "./gemini-family/gemini.ts";
import { qwen } from "./gemini-family/qwen.ts";

/** Every agent CLI that we serve. A new one is one more entry here. */
export const agents: readonly Agent[] = [gemini, qwen];
