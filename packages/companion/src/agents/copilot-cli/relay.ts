import { randomUUID } from "node:crypto";
import path from "node:path";
import { listenOnLocalSocket } from "../../transport/local-socket.ts";
import type { FarMachine, SocketRelay, SocketRelayOptions } from "../agent.ts";
import { createHttpRelay } from "../http-relay.ts";
import { findLock, lockFolder, toContent } from "./lock-file.ts";
import { createTranslation } from "./relayed-messages.ts";

/** Of both sockets: the one here, and the one that leads to it. */
const file = "copilot.sock";

/** Lets Copilot CLI on another machine find the socket of a companion here, by a lock file there. */
export async function startSocketRelay(options: SocketRelayOptions): Promise<SocketRelay | undefined> {
  const { companion, host, folder, map, onTrouble } = options;
  const lock = findLock(host, companion);
  if (lock === undefined) return undefined;
  const { socketPath } = lock;
  const server = createHttpRelay({
    served: ["/mcp"],
    toCompanion: (hostHeader) => ({ socketPath, hostHeader }),
    ...createTranslation(map),
  });
  const here = path.join(folder, file);
  await listenOnLocalSocket(server, { path: here, onTrouble: ({ message }) => onTrouble(message) });
  const name = `${randomUUID()}.lock`;
  const timestamp = Date.now();
  let shared: FarMachine | undefined;

  return {
    async announce(far, workspaceFolders) {
      // Its name is the one by which companions there know what they may remove once the process has ended.
      const folderThere = path.posix.join(far.host.tmp, `ide-companion-${far.pid}-forward`);
      const there = path.posix.join(folderThere, file);
      if (shared !== far) {
        await far.makeFolder(folderThere);
        await far.listen(there, here);
        shared = far;
      }
      const locks = lockFolder(far.host).replaceAll(path.sep, "/");
      await far.makeFolder(locks);
      // Whether the user trusts the folder there is not known.
      const { headers, ideName } = lock;
      const content = toContent({
        socketPath: there,
        headers,
        pid: far.pid,
        ideName,
        timestamp,
        workspaceFolders,
      });
      await far.writeFile(path.posix.join(locks, name), JSON.stringify(content));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
