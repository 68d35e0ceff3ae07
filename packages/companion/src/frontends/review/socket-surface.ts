import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { RawData, WebSocket, WebSocketServer } from "ws";
import { messageOf } from "../../system/error-message.ts";
import { createLaterPart } from "../../system/later-part.ts";
import { maxUnreadBytes } from "../../transport/message-limit.ts";
import { type Refusal, refuseUpgrade } from "../../transport/websocket.ts";
import { type Access, type PeerGuard, refuseForeign } from "./access.ts";
import { createPage, type Page } from "./page.ts";
import type { PageMessage } from "./protocol.ts";

export interface SocketSurfaceOptions {
  readonly port: number;
  readonly access: Access;
  readonly refusePeer: PeerGuard;
  readonly onPage: (page: Page) => void;
  /** @param ask names the message in its answer */
  readonly onMessage: (page: Page, message: PageMessage, ask: number | undefined) => void;
  readonly onGone: (page: Page) => void;
  /** Milliseconds between two signs of life. */
  readonly pingInterval?: number;
}

/** Milliseconds in which a page may answer the closing of its socket. */
const closingTime = 200;

type ParseMessage = (value: unknown) => readonly [message: PageMessage, ask: number | undefined];

/** The frontend's WebSocket. */
export function createSocketSurface(options: SocketSurfaceOptions) {
  const { port, access, refusePeer, pingInterval = 30_000 } = options;
  const sockets = new Set<WebSocket>();
  const machinery = createLaterPart(loadMachinery);
  let isClosed = false;

  function refuse({ method = "", headers, url, socket }: IncomingMessage): Refusal | undefined {
    const foreign = refusePeer(socket) ?? refuseForeign({ method, headers, purpose: "socket" }, port);
    if (foreign) return foreign;
    if (!access.admits(headers.cookie)) return { status: 401, reason: "The socket needs the page's cookie." };
    if (socketUrl(url).pathname !== "/socket") return { status: 404, reason: "The socket is at /socket." };
    return isClosed ? { status: 503, reason: "The companion is stopping." } : undefined;
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy()); // the browser went away while it was connecting
    const refusal = refuse(request);
    if (refusal) return refuseUpgrade(socket, refusal);
    const loaded = await machinery.get().catch((error: Error) => error);
    if (loaded instanceof Error) return refuseUpgrade(socket, { status: 503, reason: loaded.message });
    if (isClosed) return refuseUpgrade(socket, { status: 503, reason: "The companion is stopping." });
    const { server, parse } = loaded;
    server.handleUpgrade(request, socket, head, (connection) => {
      const key = socketUrl(request.url).searchParams.get("page") ?? undefined;
      converse(connection, createPage(connection, key), parse);
    });
  }

  function converse(socket: WebSocket, page: Page, parse: ParseMessage): void {
    sockets.add(socket);
    const stopPinging = keepAlive(socket, pingInterval);
    socket.on("message", (data, isBinary) => hear(page, data, isBinary, parse));
    socket.on("error", () => socket.terminate()); // a broken frame, or one over the limit
    socket.on("close", () => {
      stopPinging();
      sockets.delete(socket);
      options.onGone(page);
    });
    options.onPage(page);
  }

  function hear(page: Page, data: RawData, isBinary: boolean, parse: ParseMessage): void {
    let parsed: ReturnType<ParseMessage>;
    try {
      if (isBinary) throw new Error("messages are JSON texts, not bytes");
      parsed = parse(JSON.parse(data.toString()));
    } catch (error) {
      const reason = messageOf(error);
      page.send({
        type: "notice",
        level: "error",
        text: `The page sent what the companion does not know: ${reason}`,
      });
      return;
    }
    options.onMessage(page, ...parsed);
  }

  return {
    upgrade,
    close: () => {
      isClosed = true;
      for (const socket of sockets) {
        socket.close(1001, "the companion stops");
        const timer = setTimeout(() => socket.terminate(), closingTime);
        socket.once("close", () => clearTimeout(timer));
      }
    },
  };
}

/** Not needed before a page opens, and the start is to be fast. */
async function loadMachinery(): Promise<{ server: WebSocketServer; parse: ParseMessage }> {
  const [{ WebSocketServer }, { PageMessage, Ask }, { prettifyError }] = await Promise.all([
    import("ws"),
    import("./protocol.ts"),
    import("zod"),
  ]);
  // A draft of a megabyte with every pause in the typing is felt over ssh. Nothing is kept from message to message.
  const perMessageDeflate = {
    threshold: 4096,
    serverNoContextTakeover: true,
    clientNoContextTakeover: true,
    zlibDeflateOptions: { level: 1 },
  };
  // A message of the page may hold a proposal together with the text that the user has made of it.
  const server = new WebSocketServer({ noServer: true, maxPayload: maxUnreadBytes, perMessageDeflate });
  const parse = (value: unknown) => {
    const parsed = PageMessage.safeParse(value);
    if (!parsed.success) throw new Error(prettifyError(parsed.error));
    return [parsed.data, Ask.safeParse(value).data?.ask] as const;
  };
  return { server, parse };
}

/** @returns stops it. */
function keepAlive(socket: WebSocket, interval: number): () => void {
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, interval);
  timer.unref();
  return () => clearInterval(timer);
}

function socketUrl(url = "/"): URL {
  const base = "http://127.0.0.1";
  return URL.canParse(url, base) ? new URL(url, base) : new URL(base);
}
