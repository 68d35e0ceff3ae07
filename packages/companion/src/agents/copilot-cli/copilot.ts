import type { AgentWithCli } from "../agent.ts";

/**
 * GitHub Copilot CLI. Its makers document none of this: it is what version 1.0 does.
 * @see docs/reference/copilot-cli.md
 */
export const copilot: AgentWithCli = {
  name: "copilot",
  displayName: "Copilot CLI",
  command: "copilot",
  installCommand: "npm install --global @github/copilot",
  connectCommand: "/ide",
  resumeArguments: ["--continue"],
  startsInRoot: true,
  // Its lock files name a socket, and no port.
  discoveryFiles: () => [],
  discoveryFolders: () => [],
  variables: {},
  loadCli: async () => (await import("./copilot-cli.ts")).copilotCli,
};
