import { randomBytes } from "node:crypto";
import { type IncomingHttpHeaders, request } from "node:http";
import { FrameSocket } from "./frame-socket.ts";

/** What an upgrade was answered with. */
export interface Upgrade {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** When it was accepted. */
  readonly socket?: FrameSocket;
}

export interface UpgradeRequest {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly within: number;
  readonly onText: (text: string) => void;
}

/**
 * Asks for a WebSocket on `/`.
 * @throws Error when nobody answers in time
 */
export function upgrade({ port, headers, within, onText }: UpgradeRequest): Promise<Upgrade> {
  return new Promise((resolve, reject) => {
    const asked = request({
      host: "127.0.0.1",
      port,
      path: "/",
      timeout: within,
      agent: false,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": randomBytes(16).toString("base64"),
        ...headers,
      },
    });
    asked.once("upgrade", ({ statusCode = 0, headers: answered }, stream, head) => {
      stream.setTimeout(0);
      const socket = new FrameSocket(stream, { masks: true, head, onText });
      resolve({ status: statusCode, headers: answered, socket });
    });
    asked.once("response", (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
      asked.destroy();
    });
    asked.once("timeout", () => asked.destroy(new Error(`the upgrade was not answered within ${within} ms`)));
    asked.on("error", reject);
    asked.end();
  });
}
