import { createServer, type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket, WebSocketServer } from "ws";
import { createLaterPart } from "../system/later-part.ts";
import type { Ends } from "../system/liveness.ts";
import type { Channel } from "./channel.ts";
import { httpLimits, listenOnLoopback } from "./loopback.ts";
import { maxMessageBytes, maxUnreadBytes, tooLong } from "./message-limit.ts";

/** The code with which a WebSocket is closed whose message is too long. */
const messageTooBig = 1009;

/** Takes a connection. */
export type OnChannel = (channel: Channel) => void;

export interface WebSocketOptions {
  /** By default any free one. */
  readonly port?: number;
  /** The subprotocol that is confirmed to those who ask for it. */
  readonly protocol?: string;
  /** Connections at once. */
  readonly maxChannels: number;
  /** Decides by the request's head alone. */
  readonly refuse: (request: IncomingMessage) => Refusal | undefined;
  /** Loads what takes connections, when the first one comes. */
  readonly loadHandler: () => Promise<OnChannel>;
  /** A connection could not be taken; the server goes on. */
  readonly onTrouble: (error: Error) => void;
}

/** WebSockets on a port of 127.0.0.1. */
export type WebSocketListener = Awaited<ReturnType<typeof listenForWebSockets>>;

/**
 * Listens for WebSockets on 127.0.0.1 alone. Every other request is answered with 426.
 * @throws Error of the system when the port cannot be had
 */
export async function listenForWebSockets(options: WebSocketOptions) {
  const { maxChannels, refuse, loadHandler, onTrouble } = options;
  let isClosed = false;
  const http = createServer(httpLimits, (_, response) => {
    response.writeHead(426, { "content-type": "text/plain", upgrade: "websocket" });
    response.end("This port answers WebSockets only.\n");
  });
  // Not needed before somebody connects, and the start is to be fast.
  const machinery = createLaterPart(async () => {
    const [sockets, onChannel] = await Promise.all([loadSockets(options), loadHandler()]);
    return { sockets, onChannel };
  });

  async function take(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { sockets, onChannel } = await machinery.get();
    if (isClosed) return void socket.destroy();
    if (sockets.clients.size >= maxChannels) {
      const reason = `${maxChannels} agents are connected already: close one first.`;
      return refuseUpgrade(socket, { status: 503, reason });
    }
    sockets.handleUpgrade(request, socket, head, (connection) =>
      onChannel({ ...toChannel(connection), peer: endsOf(request) }),
    );
  }

  http.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy()); // the other end went away while it was connecting
    const refusal = refuse(request);
    if (refusal) return refuseUpgrade(socket, refusal);
    take(request, socket, head).catch((error: Error) => {
      onTrouble(error);
      refuseUpgrade(socket, { status: 503, reason: error.message });
    });
  });
  const port = await listenOnLoopback(http, {
    onTrouble,
    ...(options.port !== undefined && { port: options.port }),
  });
  return {
    port,
    async close() {
      isClosed = true;
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      for (const connection of (await machinery.made())?.sockets.clients ?? []) connection.terminate();
      await closed;
    },
  };
}

async function loadSockets({ protocol }: WebSocketOptions): Promise<WebSocketServer> {
  const { WebSocket, WebSocketServer } = await import("ws");
  return new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // The library closes a connection whose message is too long, and does not say why.
    WebSocket: class extends WebSocket {
      override close(code?: number, reason?: string | Buffer): void {
        super.close(code, code === messageTooBig ? `The message is ${tooLong}` : reason);
      }
    },
    handleProtocols: (offered) => (protocol !== undefined && offered.has(protocol) ? protocol : false),
  });
}

/** A copy: a socket that is closed forgets them. */
function endsOf({ socket }: IncomingMessage): Ends {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  return { remoteAddress, remotePort, localAddress, localPort };
}

function toChannel(connection: WebSocket): Channel {
  let waiting: string | undefined;
  let isBusy = false;

  // A message that is too long, or no UTF-8: the library closes the connection itself, and says so to its other end.
  connection.on("error", () => {});

  function send(message: string, onFlushed?: () => void): void {
    if (connection.readyState !== connection.OPEN) return;
    connection.send(message, onFlushed);
    if (connection.bufferedAmount > maxUnreadBytes) connection.terminate();
  }

  function sendLatest(message: string): void {
    waiting = message;
    if (isBusy) return;
    isBusy = true;
    waiting = undefined;
    send(message, () => {
      isBusy = false;
      if (waiting !== undefined) sendLatest(waiting);
    });
  }

  return {
    send: (message) => send(message),
    sendLatest,
    onMessage(listener) {
      connection.on("message", listener);
    },
    onClose(listener) {
      connection.once("close", listener);
    },
    close: () => connection.close(),
  };
}

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  /** A sentence for people. */
  readonly reason: string;
}

/** Answers a request for a WebSocket with a status and `{ error: string }`, and ends its connection. */
export function refuseUpgrade(socket: Duplex, { status, reason }: Refusal): void {
  const body = JSON.stringify({ error: reason });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
