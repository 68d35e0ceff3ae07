import path from "node:path";
import { companionsFolder } from "../../system/host.ts";
import { namesOf } from "../discovery/announced.ts";
import { type FamilyAgent, plainQuirks, read, toContent } from "./quirks.ts";

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
  variables: { port: "IDE_COMPANION_PORT" },
  quirks: plainQuirks,
  loadCli: () => Promise.reject(new Error("our own commands are no agent CLI")),

  discoveryFiles: (address, host) => [
    {
      path: path.join(companionsFolder(host), `${address.pid}-${address.port}.json`),
      folders: [companionsFolder(host)],
      content: toContent(address, host),
    },
  ],

  discoveryFolders: (host) => [{ path: companionsFolder(host), parseName, read }],
};

const parseName = namesOf(/^(?<pid>\d+)-(?<port>\d+)\.json$/);
