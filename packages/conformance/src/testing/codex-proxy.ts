import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import path from "node:path";
import type { CodexFault } from "../contracts/codex-cli/faults.ts";
import { socketsOf } from "../contracts/codex-cli/target/socket.ts";
import { FrameReader, toFrame } from "../contracts/codex-cli/wire/ipc.ts";
import type { Link } from "../contracts/fault.ts";
import { isListening } from "../target/machine.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Example } from "./example-editor.ts";
import { hostIn, startOurs } from "./our-companion.ts";

export interface CodexOptions {
  /** The CLI's own folder, and the temporary folder: where it asks, now and formerly. */
  readonly home: string;
  readonly tmp: string;
  readonly folders: readonly string[];
  readonly fault?: CodexFault | undefined;
}

/** Our companion for Codex CLI; with a fault, behind a proxy that has it. */
export async function startOurCodex({ home, tmp, folders, fault }: CodexOptions): Promise<Example> {
  const behind = (folder: string) => (fault ? path.join(folder, "b") : folder);
  const own = { CODEX_HOME: behind(home), TMPDIR: behind(tmp) };
  const host = { ...hostIn(path.dirname(home), { CODEX_HOME: own.CODEX_HOME }), tmp: own.TMPDIR };
  for (const folder of Object.values(own)) mkdirSync(folder, { recursive: true });
  const start = () => startOurs({ folders, served: ["codex"], host });
  if (!fault) return start();
  const [asked, inner] = [socketsOf({ CODEX_HOME: home, TMPDIR: tmp }), socketsOf(own)];
  const isTaken = !fault.steals && (await isListening(asked.socket));
  // Then the companion is a client of the program that listens, by the proxy.
  const joined = isTaken ? [await passOn(inner.socket, asked.socket, fault, true)] : [];
  const ours = await start();
  const socket = path.join(path.dirname(asked.socket), fault.socketName ?? path.basename(asked.socket));
  const served = isTaken ? [] : await serve(socket, inner.socket, fault);
  if (!fault.onlyCurrent) served.push(...(await serve(asked.formerSocket, inner.formerSocket, fault)));
  return {
    ...ours,
    async close() {
      await ours.close();
      // The file of a socket stays when nobody closes that.
      if (fault.keepsSocket) process.exit();
      for (const close of [...joined, ...served]) close();
    },
  };
}

/** Listens where CLIs ask. */
async function serve(at: string, behind: string, fault: CodexFault) {
  mkdirSync(path.dirname(at), { recursive: true });
  chmodSync(path.dirname(at), fault.folderMode ?? 0o700);
  if (fault.keepsStale && existsSync(at)) return [];
  rmSync(at, { force: true });
  const close = await passOn(at, behind, fault, false);
  chmodSync(at, 0o600);
  return [close];
}

/** Passes connections. @param isCompanion whether those who connect are the companion, not CLIs */
async function passOn(at: string, to: string, fault: CodexFault, isCompanion: boolean) {
  mkdirSync(path.dirname(at), { recursive: true, mode: 0o700 });
  const links: (Link & { cut(): void })[] = [];
  const server = createServer((near) => {
    const far = connect(to);
    const [cli, companion] = isCompanion ? [far, near] : [near, far];
    const send = (socket: Socket) => (message: object) => void socket.write(toFrame(message));
    const link = {
      memory: new Map(),
      all: links,
      tell: send(cli),
      ask: send(companion),
      cut: () => void near.destroy(),
      cutAll() {
        for (const each of [...links]) each.cut();
      },
    };
    links.push(link);
    const ended = () => {
      if (links.includes(link)) links.splice(links.indexOf(link), 1);
      for (const socket of [near, far]) socket.destroy();
    };
    read(cli, fault, ended, (message) => {
      const passed = fault.up ? fault.up(message, link) : message;
      if (passed) link.ask(passed);
    });
    read(companion, {}, ended, async (message) => {
      const passed = message && (fault.down ? await fault.down(message, link, {}) : message);
      if (passed) link.tell(passed);
    });
  });
  await once(server.listen(at), "listening");
  return () => {
    for (const link of [...links]) link.cut();
    server.close();
  };
}

/** @param take is handed undefined for what is no message, which ends the connection */
function read(
  socket: Socket,
  { forgetsPieces }: Pick<CodexFault, "forgetsPieces">,
  onEnd: () => void,
  take: (message: Json | undefined) => void,
): void {
  let reader = new FrameReader();
  socket.on("error", onEnd).on("close", onEnd);
  socket.on("data", (piece: Buffer) => {
    try {
      for (const message of reader.push(piece)) take(message);
    } catch {
      take(undefined);
      socket.destroy();
    }
    if (forgetsPieces) reader = new FrameReader();
  });
}
