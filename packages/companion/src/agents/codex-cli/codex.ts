import type { AgentWithCli } from "../agent.ts";

/**
 * OpenAI's Codex CLI. Its makers document none of this: it is what version 0.169 does.
 * @see docs/reference/codex-cli.md
 */
export const codex: AgentWithCli = {
  name: "codex",
  displayName: "Codex CLI",
  command: "codex",
  installCommand: "npm install --global @openai/codex",
  connectCommand: "/ide",
  resumeArguments: ["resume", "--last"],
  contextOnly: true,
  // All companions share one socket, which says nothing of them.
  discoveryFiles: () => [],
  discoveryFolders: () => [],
  variables: {},
  loadCli: async () => (await import("./codex-cli.ts")).codexCli,
};
