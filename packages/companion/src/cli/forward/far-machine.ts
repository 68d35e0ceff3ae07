import { connect, type Socket } from "node:net";
import path from "node:path";
import type { FarMachine } from "../../agents/agent.ts";
import type { SshSession } from "./ssh-session.ts";

/** How long ssh may take to report a refusal after it has closed the connection, in milliseconds. */
const patience = 1000;

/** The other machine as agents see it, and what it takes to share folders with it. */
export type SharedMachine = ReturnType<typeof createFarMachine>;

/** @param folder a private one of this machine, for sockets; undefined where ssh shares none */
export function createFarMachine(session: SshSession, folder: string | undefined) {
  const { far, ended, say } = session;
  const { uid, pid, ports } = far;
  const written = new Set<string>();
  /** Sockets here, by the one there to which each leads for as long as the connection lasts. */
  const routes = new Map<string, Promise<string>>();
  let count = 0;

  function routeTo(there: string): Promise<string> {
    const known = routes.get(there);
    if (known) return known;
    count += 1;
    const here = path.join(folder ?? "", `far-${pid}-${count}`);
    const route = session.addRoute("-L", here, there).then(() => here);
    routes.set(there, route);
    route.catch(() => routes.delete(there)); // the next connection tries again
    return route;
  }

  const machine: FarMachine = {
    host: far,
    uid,
    pid,
    ports,
    ended,
    makeFolder: async (path) => void (await say(`folder ${path}`)),
    async writeFile(file, text) {
      await say(`${written.has(file) ? "rewrite" : "file"} ${file}`, text);
      written.add(file);
    },
    async listen(there, here) {
      await say(`vacate ${there}`);
      await session.addRoute("-R", there, here);
      // The socket is removed at the end, unless another one is in its place by then.
      await say(`own ${there}`);
    },
    async connect(there) {
      const isThere = await say(`socket ${there}`).then(
        () => true,
        () => false,
      );
      if (!isThere) return undefined;
      const socket = connect(await routeTo(there));
      return { socket, refused: isRefused(session, socket) };
    },
  };
  return {
    ...machine,
    /** @returns its path without symlinks @throws Error when there is none */
    checkFolder: (path: string) => say(`check ${path}`),
    close: session.close,
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
