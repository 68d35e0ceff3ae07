import type { AgentCli } from "../agent.ts";
import type { CliPackage } from "../doctor/program.ts";
import { diagnose } from "./doctor/diagnose.ts";
import { startRelay } from "./relay.ts";
import { claudeIdeSettings } from "./settings.ts";

/**
 * What Claude Code does on its side, as seen with the program itself.
 * @see docs/reference/claude-code.md
 */
export const claudeCli: AgentCli & CliPackage = {
  packageName: "@anthropic-ai/claude-code",
  knownVersion: "2.1.332",
  oldestVersion: "1.0.128",
  folderVariables: [],
  diagnose: (agent, terminal) => diagnose(agent, claudeCli, terminal),
  ideSettings: claudeIdeSettings,
  startRelay,
};
