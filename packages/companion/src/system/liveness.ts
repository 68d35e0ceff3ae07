import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { isStranger, userOfServer } from "./socket-users.ts";

/** Tells whether a process with this id runs now. */
export function pidIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    // EPERM: it exists, and is another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** It has ended, and its parent has not looked yet: the first process of a container often never does. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name, which may hold anything.
    return stat.slice(stat.lastIndexOf(")")).startsWith(") Z");
  } catch {
    return false; // gone this moment, or hidden from us
  }
}

/** Tells whether anything of ours listens on a port of 127.0.0.1; within a second. In doubt it does. */
export function portIsServed(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: 1000 });
    const finish = (served: boolean) => {
      socket.destroy();
      resolve(served);
    };
    socket.once("connect", () => finish(!isStranger(userOfServer(socket))));
    // Everything else is our own trouble, as when we have no file descriptor left.
    socket.once("error", (error) => finish(!("code" in error && error.code === "ECONNREFUSED")));
    // A listener too busy to accept is still one.
    socket.once("timeout", () => finish(true));
  });
}
