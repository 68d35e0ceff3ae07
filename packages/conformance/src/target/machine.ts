import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";

/** @param pid of a process; negative for a group */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The number of a process that has ended. */
export async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

/** A process that listens on a port of this machine: this one. */
export async function listen(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { port, close: async () => void server.close() };
}

/** @param at a port, or the path of a socket @param host of the port */
export function isListening(at: number | string, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({
      ...(typeof at === "string" ? { path: at } : { port: at, host }),
      timeout: 5000,
    });
    const done = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => done(true));
    socket.once("timeout", () => done(false));
    socket.once("error", () => done(false)); // refused, which is the answer
  });
}
