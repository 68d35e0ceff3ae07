import type { AgentCli } from "../agent.ts";
import type { CliPackage } from "../doctor/program.ts";
import { diagnose } from "./doctor/diagnose.ts";
import { isServedBy, startSocketRelay } from "./relay.ts";

/**
 * What Codex CLI does on its side, as seen with the program itself.
 * @see docs/reference/codex-cli.md
 */
export const codexCli: AgentCli & CliPackage = {
  packageName: "@openai/codex",
  knownVersion: "0.171.0",
  oldestVersion: "0.169.0",
  folderVariables: ["CODEX_HOME"],
  diagnose: (agent, terminal, all) => diagnose(agent, codexCli, terminal, all),
  startSocketRelay,
  isServedBy,
};
