import path from "node:path";
import { namesOf } from "../../discovery/announced.ts";
import { type ClientInfo, type FamilyAgent, hasEmptyPrompt, ideFolders, read, toContent } from "../quirks.ts";

/**
 * Gemini CLI.
 * @see docs/reference/contract.md#2-discovery
 */
export const gemini: FamilyAgent = {
  name: "gemini",
  displayName: "Gemini CLI",
  command: "gemini",
  installCommand: "npm install --global @google/gemini-cli",
  connectCommand: "/ide enable",
  resumeArguments: ["--resume", "latest"],
  freedBy: "press Ctrl-C once, then type /ide enable",
  ownExtension: "google.gemini-cli-vscode-ide-companion",
  variables: {
    port: "GEMINI_CLI_IDE_SERVER_PORT",
    workspace: "GEMINI_CLI_IDE_WORKSPACE_PATH",
    token: "GEMINI_CLI_IDE_AUTH_TOKEN",
    // Spares the CLI the walk up the process tree, which fails under tmux and in external terminals.
    pid: "GEMINI_CLI_IDE_PID",
  },
  // In a container it would ask host.docker.internal: this tells it that its IDE is inside as well.
  containerEnv: { REMOTE_CONTAINERS: "true" },

  hasEmptyPrompt,

  quirks: {
    ignoresEmptyText: true,
    dropsByteOrderMark: true,
    outwaitsCompanion: true,
    opensOneDiff: true,
    closeDiffAnswer: (content, client) => (isGeminiCli(client) ? JSON.stringify({ content }) : content),
  },

  discoveryFiles(address, host) {
    const folders = ideFolders(host, "gemini");
    const file = path.join(folders[1], `gemini-ide-server-${address.pid}-${address.port}.json`);
    return [{ path: file, folders, content: toContent(address, host) }];
  },

  discoveryFolders: (host) => [{ path: ideFolders(host, "gemini")[1], parseName, read }],

  loadCli: async () => (await import("./cli.ts")).geminiCli,
};

/** With the port as documented, or without it as an older CLI had it. */
const parseName = namesOf(/^gemini-ide-server-(?<pid>\d+)(?:-(?<port>\d+))?\.json$/);

/** The names under which the CLI's two transports introduce themselves; others follow the specification. */
const isGeminiCli = (client: ClientInfo) =>
  client.name === "streamable-http-client" || client.name === "stdio-client";
