import path from "node:path";
import { toWorkspacePath } from "../../../files/workspace-path.ts";
import type { Host } from "../../../system/host.ts";
import { type ClientInfo, hasEmptyPrompt, read, type ServedAgent } from "../quirks.ts";

/**
 * Gemini CLI.
 * @see docs/reference/contract.md#2-discovery
 */
export const gemini: ServedAgent = {
  name: "gemini",
  displayName: "Gemini CLI",
  command: "gemini",
  installCommand: "npm install --global @google/gemini-cli",
  connectCommand: "/ide enable",
  resumeArguments: ["--resume", "latest"],
  freedBy: "press Ctrl-C once, then type /ide enable",
  ownExtension: "google.gemini-cli-vscode-ide-companion",
  portVariable: "GEMINI_CLI_IDE_SERVER_PORT",
  pidVariable: "GEMINI_CLI_IDE_PID",
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
    const folders = ideFolders(host);
    return [
      {
        path: path.join(folders[1], `gemini-ide-server-${address.pid}-${address.port}.json`),
        folders,
        content: {
          port: address.port,
          workspacePath: toWorkspacePath(address.roots, host),
          authToken: address.token,
          ideInfo: address.ide,
          serverPid: address.serverPid,
        },
      },
    ];
  },

  discoveryFolders: (host) => [{ path: ideFolders(host)[1], parseName, read }],

  terminalEnv: (address, host) => ({
    GEMINI_CLI_IDE_SERVER_PORT: String(address.port),
    GEMINI_CLI_IDE_WORKSPACE_PATH: toWorkspacePath(address.roots, host),
    GEMINI_CLI_IDE_AUTH_TOKEN: address.token,
    // Spares the CLI the walk up the process tree, which fails under tmux and in external terminals.
    GEMINI_CLI_IDE_PID: String(address.pid),
  }),
};

function ideFolders(host: Host): [outer: string, inner: string] {
  const outer = path.join(host.tmp, "gemini");
  return [outer, path.join(outer, "ide")];
}

/** With the port as documented, or without it as an older CLI had it. */
function parseName(name: string): { pid: number; port?: number } | undefined {
  const [, pid, port] = /^gemini-ide-server-(\d+)(?:-(\d+))?\.json$/.exec(name) ?? [];
  if (pid === undefined) return undefined;
  return port === undefined ? { pid: Number(pid) } : { pid: Number(pid), port: Number(port) };
}

/** The names under which the CLI's two transports introduce themselves; others follow the specification. */
const isGeminiCli = (client: ClientInfo) =>
  client.name === "streamable-http-client" || client.name === "stdio-client";
