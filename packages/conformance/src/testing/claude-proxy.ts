import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import path from "node:path";
import type { Duplex } from "node:stream";
import { FrameSocket, upgrade } from "../contracts/claude-code/wire/frame-socket.ts";
import type { Fault, Link } from "../contracts/fault.ts";
import { lockFolder } from "../contracts/locking.ts";
import { isJson, type Json, parseJson } from "../wire/json-rpc.ts";
import type { Example } from "./example-editor.ts";
import { mirrorFiles, readLock } from "./file-mirror.ts";
import { hostIn, startOurs } from "./our-companion.ts";

export interface ClaudeOptions {
  /** Where CLIs look for it. */
  readonly configFolder: string;
  readonly folders: readonly string[];
  readonly fault?: Fault | undefined;
}

/** Our companion for Claude Code; with a fault, behind a proxy that has it. */
export async function startOurClaude({ configFolder, folders, fault }: ClaudeOptions): Promise<Example> {
  const inner = fault ? path.join(configFolder, "behind") : configFolder;
  const host = hostIn(path.dirname(configFolder));
  const own = path.join(host.home, ".claude");
  for (const folder of [host.home, inner]) mkdirSync(folder, { recursive: true });
  if (!existsSync(own)) symlinkSync(inner, own);
  if (!fault) return startOurs({ folders, served: ["claude"], host });
  mkdirSync(lockFolder(configFolder), { recursive: true, mode: 0o700 });
  fault.start?.(lockFolder(configFolder));
  const ours = await startOurs({ folders, served: ["claude"], host });
  const lock = await readLock(inner);
  const token = String(lock.content.authToken);
  const proxy = await startProxy(Number.parseInt(path.basename(lock.path), 10), token, fault);
  const names = [`${proxy.port}.lock`, ...(fault.extraLock ?? [])];
  const paths = names.map((name) => path.join(lockFolder(configFolder), name));
  const stop = await mirrorFiles({
    files: new Map([[lock.path, paths]]),
    fault,
    address: {},
    replaces: fault.replacesLock,
  });
  ours.editor.environment = fault.environment?.(ours.env) ?? ours.env;
  return {
    ...ours,
    async close() {
      stop();
      proxy.close();
      await ours.close();
    },
  };
}

/** Headers of one connection alone. */
const ofHop = /^(sec-websocket-(key|ext)|connection|upgrade)/;

async function startProxy(behind: number, token: string, fault: Fault) {
  const links: (Link & { readonly socket: FrameSocket })[] = [];
  let before = 0;
  const server = createServer();

  async function connect(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> {
    const address = server.address();
    const own = `127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
    const upgraded = { method: "GET", path: "/", headers: request.headers, own, token, before };
    const asked = fault.head?.(upgraded) ?? request.headers;
    const { host = own, ...others } = asked;
    const headers: Record<string, string> = { host: host === own ? `127.0.0.1:${behind}` : host };
    for (const [name, value] of Object.entries(others))
      if (typeof value === "string" && !ofHop.test(name)) headers[name] = value;
    const waiting: string[] = [];
    let hear = (text: string): void => void waiting.push(text);
    const answer = await upgrade({ port: behind, headers, within: 5000, onText: (text) => hear(text) });
    if (!answer.socket) {
      stream.end(`HTTP/1.1 ${answer.status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    before += 1;
    stream.write(`HTTP/1.1 101 Switching Protocols\r\n${upgradeHead(request, fault.plain !== true)}\r\n\r\n`);
    hear = join(stream, head, answer.socket);
    for (const text of waiting) hear(text);
  }

  /** @returns hears a message of the companion */
  function join(stream: Duplex, head: Buffer, behindSocket: FrameSocket): (text: string) => void {
    const requests = new Map<unknown, Json>();
    const link = {
      memory: new Map(),
      all: links,
      tell: (message: object) => socket.sendText(JSON.stringify(message)),
      ask: (message: Json) => behindSocket.sendText(JSON.stringify(message)),
      cutAll() {
        for (const each of links) each.socket.cut();
      },
    };
    const take = (text: string) => {
      const parsed = parseJson(text);
      const message = isJson(parsed) ? parsed : undefined;
      if (message?.id !== undefined) requests.set(message.id, message);
      const passed = fault.up ? fault.up(message, link) : message;
      if (passed) link.ask(passed);
    };
    const socket: FrameSocket = new FrameSocket(stream, { masks: false, head, onText: take });
    const whole = { ...link, socket };
    links.push(whole);
    void socket.closed.then(() => {
      links.splice(links.indexOf(whole), 1);
      if (!fault.keepsOpen) behindSocket.close();
    });
    void behindSocket.closed.then(() => socket.close());
    return async (text) => {
      const message = parseJson(text);
      if (!isJson(message)) return;
      const asked = message.method === undefined ? requests.get(message.id) : undefined;
      const passed = fault.down ? await fault.down(message, whole, asked ?? {}) : message;
      if (passed) link.tell(passed);
    };
  }

  server.on("upgrade", (request, stream, head) => void connect(request, stream, head));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    close() {
      for (const { socket } of [...links]) socket.cut();
      server.close();
    },
  };
}

/** The answer that RFC 6455 asks for. */
function upgradeHead({ headers }: IncomingMessage, hasProtocol: boolean): string {
  const key = `${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const lines = [
    "upgrade: websocket",
    "connection: Upgrade",
    `sec-websocket-accept: ${createHash("sha1").update(key).digest("base64")}`,
    ...(hasProtocol ? ["sec-websocket-protocol: mcp"] : []),
  ];
  return lines.join("\r\n");
}
