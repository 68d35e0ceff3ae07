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
  let count = 0;

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
      count += 1;
      const here = path.join(folder, `far-${pid}-${count}`);
      await session.addRoute("-L", here, there);
      const socket = connect(here);
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
