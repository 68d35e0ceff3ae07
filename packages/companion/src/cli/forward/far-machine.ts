import { connect, type Socket } from "node:net";
import path from "node:path";
import type { FarMachine } from "../../agents/agent.ts";
import type { SshSession } from "./ssh-session.ts";

/** How long ssh may take to report a refusal after it has closed the connection, in milliseconds. */
const patience = 1000;

/**
 * The other machine as agents see it.
 * @param folder a private one of this machine, for sockets
 */
export function createFarMachine(session: SshSession, folder: string): FarMachine {
  const { far, ended } = session;
  const { uid, pid } = far;
  const written = new Set<string>();
  /** Sockets here, by the one there to which each leads for as long as the connection lasts. */
  const routes = new Map<string, Promise<string>>();
  let count = 0;

  function routeTo(there: string): Promise<string> {
    const known = routes.get(there);
    if (known) return known;
    count += 1;
    const here = path.join(folder, `far-${pid}-${count}`);
    const route = session.addRoute("-L", here, there).then(() => here);
    routes.set(there, route);
    route.catch(() => routes.delete(there)); // the next connection tries again
    return route;
  }

  return {
    host: far,
    uid,
    pid,
    ended,
    makeFolder: session.makeFolder,
    async writeFile(file, text) {
      if (written.has(file)) return session.rewriteFile(file, text);
      await session.writeFile(file, text);
      written.add(file);
    },
    async listen(there, here) {
      await session.removeSocket(there);
      await session.addRoute("-R", there, here);
      await session.ownSocket(there);
    },
    async connect(there) {
      if (!(await session.hasSocket(there))) return undefined;
      const socket = connect(await routeTo(there));
      return { socket, refused: isRefused(session, socket) };
    },
  };
}

/** ssh takes every connection, and closes those that nobody has taken there; what it reports names none of them. */
function isRefused(session: SshSession, socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    let isReported = false;
    let isClosed = false;
    const finish = (refused: boolean) => {
      stop();
      resolve(refused);
    };
    const stop = session.onRefusal(() => {
      isReported = true;
      if (isClosed) finish(true);
    });
    socket.on("error", () => socket.destroy()); // it closes
    socket.once("data", () => finish(false));
    socket.once("close", () => {
      isClosed = true;
      if (isReported) return finish(true);
      setTimeout(finish, patience, false).unref();
    });
  });
}
