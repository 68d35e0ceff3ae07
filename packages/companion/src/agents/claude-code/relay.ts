import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";
import type { PathMap } from "../../files/path-map.ts";
import { isObject, type JsonObject, tryParseJson } from "../../system/json.ts";
import { closeServer, httpLimits, listenOnLoopback } from "../../transport/loopback.ts";
import { maxMessageBytes, maxUnreadBytes } from "../../transport/message-limit.ts";
import { refuseUpgrade } from "../../transport/websocket.ts";
import type { Relay, RelayOptions } from "../agent.ts";
import { createPortRelay } from "../port-relay.ts";
import {
  listThere,
  toAnswer,
  toCall,
  toFileHere,
  translateTexts,
  UnmappedPath,
} from "../relayed-messages.ts";

/**
 * Stands between a companion and CLIs on another machine, one connection for each of theirs.
 * @throws Error when no port can be opened
 */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { companion: found, map } = options;
  const server = createServer(httpLimits, (_, response) => {
    response.writeHead(426, { "content-type": "text/plain; charset=utf-8", upgrade: "websocket" });
    response.end("This port answers WebSockets only.\n");
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy()); // it went away while it was connecting
    const companion = connect(request, found.port, relay.toHost);
    // It goes away while it is connecting, or asks for no WebSocket after all: the companion is not to keep a place for it.
    const leave = () => companion.terminate();
    socket.once("close", leave);
    // What the companion says first waits until the CLI can hear it.
    companion.once("open", () => {
      companion.pause();
      sockets.handleUpgrade(request, socket, head, (cli) => {
        socket.off("close", leave);
        join(cli, companion, createTranslation(map));
      });
    });
    refuseWith(companion, socket);
  });
  const port = await listenOnLoopback(server, { onTrouble: () => {} }); // the CLI tries again
  const relay = createPortRelay(options, port, () => {
    for (const cli of sockets.clients) cli.terminate();
    return closeServer(server);
  });
  return relay;
}

/**
 * Gives files in messages the names that they have at the other end. Texts are never touched.
 * @returns the translation of one connection
 */
export function createTranslation(map: PathMap) {
  /** The calls of `getDiagnostics` that wait for an answer, which names files. */
  const asked = new Set<unknown>();

  return {
    toHere(message: unknown): Passed {
      const call = toCall(message);
      try {
        if (call?.name === "openDiff") {
          const path = toFileHere(call.given.new_file_path, map);
          return { passed: call.with({ old_file_path: path, new_file_path: path }) };
        }
        if (call?.name !== "getDiagnostics") return { passed: message };
        const { uri } = call.given;
        const passed =
          typeof uri === "string" ? call.with({ uri: scheme + toFileHere(toPath(uri), map) }) : message;
        asked.add(call.id);
        return { passed };
      } catch (error) {
        if (!(error instanceof UnmappedPath) || call === undefined) throw error;
        // A file that is not here has no diagnostics.
        const isDiff = call.name === "openDiff";
        return { answer: toAnswer(call.id, isDiff ? error.message : "[]", isDiff) };
      }
    },

    /** @returns undefined for what concerns no file of the other machine */
    toThere(message: unknown): unknown {
      if (!isObject(message)) return message;
      if (asked.delete(message.id) && isObject(message.result)) {
        const toThere = (file: JsonObject) => {
          const path = map.toThere(toPath(String(file.uri)));
          return path === undefined ? undefined : { uri: scheme + path };
        };
        return { ...message, result: translateTexts(message.result, (said) => listThere(said, toThere)) };
      }
      const { method, params } = message;
      if (!isObject(params) || typeof params.filePath !== "string") return message;
      const filePath = map.toThere(params.filePath);
      if (method === "at_mentioned") {
        return filePath === undefined ? undefined : { ...message, params: { ...params, filePath } };
      }
      if (method !== "selection_changed") return message;
      if (filePath !== undefined) {
        return { ...message, params: { ...params, filePath, fileUrl: scheme + filePath } };
      }
      // As where no file is open: what was sent before does not count any more.
      const { filePath: _, fileUrl: __, ...rest } = params;
      return { ...message, params: { ...rest, text: "" } };
    },
  };
}

/** Everything that the companion decides by is passed on. */
function connect(
  { headers, url = "/" }: IncomingMessage,
  port: number,
  toHost: (host: string) => string,
): WebSocket {
  const { host = "", origin, "sec-websocket-protocol": protocols = "" } = headers;
  const token = headers["x-claude-code-ide-authorization"];
  return new WebSocket(`ws://127.0.0.1:${port}${url}`, protocols === "" ? [] : protocols.split(/\s*,\s*/), {
    headers: {
      host: toHost(host),
      ...(origin !== undefined && { origin }),
      ...(token !== undefined && { "x-claude-code-ide-authorization": token }),
    },
    maxPayload: maxUnreadBytes,
  });
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
  // Neither of them sends what is no JSON: it is not passed on.
  cli.on("message", (data) => {
    const { passed, answer } = toHere(tryParseJson(String(data)));
    send(companion, passed);
    send(cli, answer);
  });
  companion.on("message", (data) => send(cli, toThere(tryParseJson(String(data)))));
  for (const [one, other] of [
    [cli, companion],
    [companion, cli],
  ] as const) {
    one.on("error", () => one.terminate()); // it closes, which is passed on
    one.on("close", () => other.close());
  }
  companion.resume();
}

const scheme = "file://";

/** What becomes of a message of the CLI. */
interface Passed {
  /** For the companion; undefined when it is not to hear of it. */
  readonly passed?: unknown;
  /** For the CLI, at once. */
  readonly answer?: unknown;
}

/** The path in a URL of a file; empty for any other text, which no map knows. */
const toPath = (uri: string) => (uri.startsWith(scheme) ? uri.slice(scheme.length) : "");
