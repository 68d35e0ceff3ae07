import { createServer, type IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import type { Channel } from "./channel.ts";
import { httpLimits } from "./http-limits.ts";
import { listenOnLoopback } from "./loopback.ts";
import { type Refusal, refuseUpgrade } from "./refused-upgrade.ts";

export interface WebSocketOptions {
  /** By default any free one. */
  readonly port?: number;
  /** Bytes of the longest message. */
  readonly maxMessage: number;
  /** Decides by the request's head alone. */
  readonly refuse: (request: IncomingMessage) => Refusal | undefined;
  readonly onChannel: (channel: Channel, request: IncomingMessage) => void;
  /** A connection could not be taken; the server goes on. */
  readonly onTrouble: (error: Error) => void;
}

/** WebSockets on a port of 127.0.0.1. */
export interface WebSocketListener {
  readonly port: number;
  /** Closes every channel. */
  close(): Promise<void>;
}

/**
 * Listens for WebSockets on 127.0.0.1 alone. Every other request is answered with 426.
 * @throws Error of the system when the port cannot be had
 */
export async function listenForWebSockets(options: WebSocketOptions): Promise<WebSocketListener> {
  const { maxMessage, refuse, onChannel, onTrouble } = options;
  const http = createServer(httpLimits, (_, response) => {
    response.writeHead(426, { "content-type": "text/plain", upgrade: "websocket" });
    response.end("This port answers WebSockets only.\n");
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessage });
  http.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy()); // the other end went away while it was connecting
    const refusal = refuse(request);
    if (refusal) return refuseUpgrade(socket, refusal);
    sockets.handleUpgrade(request, socket, head, (connection) => onChannel(toChannel(connection), request));
  });
  const port = await listenOnLoopback(http, {
    onTrouble,
    ...(options.port !== undefined && { port: options.port }),
  });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        for (const connection of sockets.clients) connection.terminate();
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}

function toChannel(connection: WebSocket): Channel {
  // A message that is too long, or no UTF-8: the library closes the connection.
  connection.on("error", () => connection.terminate());
  return {
    send(message) {
      if (connection.readyState === connection.OPEN) connection.send(message);
    },
    onMessage(listener) {
      connection.on("message", (data) => listener(String(data)));
    },
    onClose(listener) {
      connection.once("close", listener);
    },
    close: () => connection.close(),
  };
}
