import path from "node:path";
import { toWorkspacePath } from "../../files/workspace-path.ts";
import { companionsFolder } from "../../system/host.ts";
import { type FamilyAgent, plainQuirks, read } from "./quirks.ts";

/**
 * Our own commands and the client library. Every companion serves them, whatever agents it serves, and they find it by
 * a file in the state folder.
 * @see docs/inside/decisions/0022-own-clients.md
 */
export const ownClients: FamilyAgent = {
  name: "ide-companion",
  displayName: "ide-companion",
  command: "ide-companion",
  installCommand: "npm install --global ide-companion",
  connectCommand: "ide-companion status",
  isOwn: true,
  portVariable: "IDE_COMPANION_PORT",
  quirks: plainQuirks,
  loadCli: () => Promise.reject(new Error("our own commands are no agent CLI")),

  discoveryFiles: ({ pid, port, token, roots, ide, serverPid }, host) => [
    {
      path: path.join(companionsFolder(host), `${pid}-${port}.json`),
      folders: [companionsFolder(host)],
      content: {
        port,
        workspacePath: toWorkspacePath(roots, host),
        authToken: token,
        ideInfo: ide,
        serverPid,
      },
    },
  ],

  discoveryFolders: (host) => [{ path: companionsFolder(host), parseName, read }],

  terminalEnv: ({ port }) => ({ IDE_COMPANION_PORT: String(port) }),
};

function parseName(name: string) {
  const [, pid, port] = /^(\d+)-(\d+)\.json$/.exec(name) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), port: Number(port) };
}
