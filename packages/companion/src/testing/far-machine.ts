import { chmodSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { FarMachine, LiveFinding, Relay, RelayOptions } from "../agents/agent.ts";
import { ownClients } from "../agents/gemini-family/own-clients.ts";
import type { PathMap } from "../files/path-map.ts";
import { ownUid } from "../system/private-file.ts";
import { type Core, privateHost } from "./core.ts";

export interface TestMachine extends FarMachine {
  /** Files as they were written, by their paths. */
  readonly files: Map<string, string>;
  /** Ends the connection, and removes the sockets. */
  end(): void;
}

/** Another machine on the same disk. Its sockets and ports lead to those of this one as ssh's do. */
export function startFarMachine(host = privateHost(), ports = new Map<number, number>()): TestMachine {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const closers: (() => void)[] = [];
  const files = new Map<string, string>();
  const machine: TestMachine = {
    host,
    uid: ownUid() ?? 0,
    pid: process.pid,
    ports,
    ended,
    files,
    makeFolder: async (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
    async writeFile(path, text) {
      files.set(path, text);
      writeFileSync(path, text, { mode: 0o600 });
    },
    async listen(there, here) {
      rmSync(there, { force: true });
      const open = new Set<Socket>();
      const server = createServer((far) => {
        const own = connect(here);
        for (const socket of [far, own]) {
          open.add(socket);
          socket.on("error", () => {}); // it closes
          socket.on("close", () => {
            far.destroy();
            own.destroy();
          });
        }
        far.pipe(own).pipe(far);
      });
      await new Promise<void>((resolve) => server.listen(there, resolve));
      chmodSync(there, 0o600);
      closers.push(() => {
        server.close();
        for (const socket of open) socket.destroy();
      });
    },
    async connect(there) {
      if (!lstatSync(there, { throwIfNoEntry: false })?.isSocket()) return undefined;
      const socket = connect(there);
      const isTaken = await new Promise<boolean>((resolve) => {
        socket.once("connect", () => resolve(true));
        socket.once("error", () => resolve(false));
      });
      return { socket, refused: Promise.resolve(!isTaken) };
    },
    end() {
      for (const close of closers.splice(0)) close();
      end();
    },
  };
  onTestFinished(() => machine.end());
  return machine;
}

/** A companion as our own commands find it. */
export const toFinding = ({ companion, root }: Core): LiveFinding => ({
  agent: ownClients,
  file: "",
  result: "live",
  port: companion.port,
  roots: [root],
  pid: process.pid,
  serverPid: process.pid,
  writtenAt: 0,
});

/** The port by which agents of another machine come to a companion here. */
export async function startPortRelay(
  start: (options: RelayOptions) => Promise<Relay | undefined>,
  companion: LiveFinding,
  map: PathMap,
): Promise<number> {
  const options = { companion, map, host: privateHost(), folder: undefined, onTrouble: () => {} };
  const relay = await start(options);
  onTestFinished(() => relay?.close());
  const port = relay?.port ?? 0;
  await relay?.announce(startFarMachine(privateHost(), new Map([[port, port]])), []);
  return port;
}
