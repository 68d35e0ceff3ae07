import type { AgentCli } from "../agent.ts";
import type { CliPackage } from "../doctor/program.ts";
import { diagnose } from "./diagnose.ts";
import { copilotSettingsPath, findLock } from "./lock-file.ts";
import { startSocketRelay } from "./relay.ts";

/**
 * What Copilot CLI does on its side, as seen with the program itself.
 * @see docs/reference/copilot-cli.md
 */
export const copilotCli: AgentCli & CliPackage = {
  packageName: "@github/copilot",
  knownVersion: "1.0.102",
  oldestVersion: "1.0.102",
  folderVariables: ["COPILOT_HOME"],
  diagnose: (agent, terminal) => diagnose(agent, copilotCli, terminal),
  startSocketRelay,
  isServedBy: async (companion, host) => findLock(host, companion) !== undefined,
  ideSettings: (host) => ({
    path: copilotSettingsPath(host),
    // Both are so by default: what the user has decided counts.
    values: [
      { key: ["ide", "autoConnect"], value: true, unlessSet: true },
      { key: ["ide", "openDiffOnEdit"], value: true, unlessSet: true },
    ],
  }),
};
