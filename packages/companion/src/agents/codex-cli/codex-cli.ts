import type { AgentCli } from "../agent.ts";
import { checkCodexSettings, findCodexRecords } from "./checked.ts";
import { isServedBy, startSocketRelay } from "./relay.ts";

/**
 * What Codex CLI does on its side, as seen with the program itself.
 * @see docs/reference/codex-cli.md
 */
export const codexCli: AgentCli = {
  packageName: "@openai/codex",
  knownVersion: "0.171.0",
  oldestVersion: "0.169.0",
  variables: ["CODEX_HOME", "TMPDIR"],
  folderVariables: ["CODEX_HOME"],
  checkSettings: checkCodexSettings,
  findRecords: findCodexRecords,
  startSocketRelay,
  isServedBy,
};
