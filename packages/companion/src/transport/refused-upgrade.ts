import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

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
