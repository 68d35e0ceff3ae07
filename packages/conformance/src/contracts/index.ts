import { claudeCode } from "./claude-code/contract.ts";
import { codexCli } from "./codex-cli/contract.ts";
import type { Contract } from "./contract.ts";
import { copilotCli } from "./copilot-cli/contract.ts";
import { geminiFamily } from "./gemini-family/contract.ts";
import { hooks } from "./hooks/contract.ts";

/** Every contract that the kit checks; the first is meant where no agent is named. */
export const contracts: readonly Contract[] = [geminiFamily, claudeCode, codexCli, copilotCli, hooks];

/** @returns undefined for an agent that no contract is of */
export const contractOf = (agent: string): Contract | undefined =>
  contracts.find(({ agents }) => agents.includes(agent));

export type { Contract } from "./contract.ts";
