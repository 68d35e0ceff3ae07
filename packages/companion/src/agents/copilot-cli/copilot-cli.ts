import type { AgentCli } from "../agent.ts";
import { checkCopilotSettings, findCopilotRecords } from "./checked.ts";
import { copilotSettingsPath, findLock } from "./lock-file.ts";
import { startSocketRelay } from "./relay.ts";

/**
 * What Copilot CLI does on its side, as seen with the program itself.
 * @see docs/reference/copilot-cli.md
 */
export const copilotCli: AgentCli = {
  packageName: "@github/copilot",
  knownVersion: "1.0.102",
  oldestVersion: "1.0.102",
  variables: ["COPILOT_HOME", "COPILOT_ALLOW_ALL"],
  folderVariables: ["COPILOT_HOME"],
  runModes: [
    [/\s(-p|--prompt)(\s|=|$)/, "answers one prompt, and never connects"],
    [/\s--allow-all(-tools)?(\s|$)|\s--yolo(\s|$)/, "was allowed all tools, and shows no diffs"],
  ],
  checkSettings: checkCopilotSettings,
  findRecords: findCopilotRecords,
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
