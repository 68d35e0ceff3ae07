import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { httpLimits, listenOnLoopback, maxBodyBytes, readdressHost } from "../../transport/loopback.ts";
import { refuseUpgrade } from "../../transport/websocket.ts";
import type { Relay, RelayOptions } from "../agent.ts";
import { createTranslation } from "./relayed-messages.ts";

/**
 * Stands between a companion and CLIs on another machine, one connection for each of theirs.
 * @throws Error when no port can be opened
 */
export async function startRelay({ port, map }: RelayOptions): Promise<Relay> {
  const server = createServer(httpLimits, (_, response) => {
    response.writeHead(426, { "content-type": "text/plain; charset=utf-8", upgrade: "websocket" });
    response.end("This port answers WebSockets only.\n");
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxBodyBytes });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy()); // it went away while it was connecting
    const companion = connect(request, { port, farPort: relay.farPort });
    // What the companion says first waits until the CLI can hear it.
    companion.once("open", () => {
      companion.pause();
      sockets.handleUpgrade(request, socket, head, (cli) => join(cli, companion, createTranslation(map)));
    });
    refuseWith(companion, socket);
  });
  const relay: Relay = {
    port: await listenOnLoopback(server, { onTrouble: () => {} }), // the CLI tries again
    farPort: undefined,
    close: () =>
      new Promise((resolve) => {
        for (const cli of sockets.clients) cli.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return relay;
}

/** Everything that the companion decides by is passed on. */
function connect({ headers, url = "/" }: IncomingMessage, { port, farPort }: Ports): WebSocket {
  const { host = "", origin, "sec-websocket-protocol": protocols = "" } = headers;
  const token = headers["x-claude-code-ide-authorization"];
  return new WebSocket(`ws://127.0.0.1:${port}${url}`, protocols === "" ? [] : protocols.split(/\s*,\s*/), {
    headers: {
      host: readdressHost(host, farPort, port),
      ...(origin !== undefined && { origin }),
      ...(token !== undefined && { "x-claude-code-ide-authorization": token }),
    },
    maxPayload: maxBodyBytes,
  });
}

interface Ports {
  readonly port: number;
  /** By which the CLIs come. */
  readonly farPort: number | undefined;
}

function refuseWith(companion: WebSocket, socket: Duplex): void {
  companion.once("unexpected-response", (asked, { statusCode = 502 }) => {
    asked.destroy();
    refuseUpgrade(socket, {
      status: statusCode,
      reason: "The editor's companion has refused this connection.",
    });
  });
  companion.on("error", ({ message }) => {
    if (!socket.writable || companion.readyState === WebSocket.OPEN) return;
    refuseUpgrade(socket, { status: 502, reason: `The editor's companion cannot be reached: ${message}` });
  });
}

type Translation = ReturnType<typeof createTranslation>;

/** Passes messages on until one of them leaves, and then lets the other one go. */
function join(cli: WebSocket, companion: WebSocket, { toHere, toThere }: Translation): void {
  const send = (to: WebSocket, message: unknown) => {
    if (message !== undefined && to.readyState === WebSocket.OPEN) to.send(JSON.stringify(message));
  };
  cli.on("message", (data) => {
    const { passed, answer } = toHere(parse(data));
    send(companion, passed);
    send(cli, answer);
  });
  companion.on("message", (data) => send(cli, toThere(parse(data))));
  for (const [one, other] of [
    [cli, companion],
    [companion, cli],
  ] as const) {
    one.on("error", () => one.terminate()); // it closes, which is passed on
    one.on("close", () => other.close());
  }
  companion.resume();
}

/** @returns undefined for what is no JSON, which neither of them sends */
function parse(data: RawData): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined; // not passed on
  }
}
