import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createParser } from "eventsource-parser";
import { type RawData, WebSocket, WebSocketServer } from "ws";
import { listen } from "../listen.ts";
import type { Resident } from "../sandbox.ts";
import { headersOfAnswer, isEventStream } from "./exchange.ts";
import { Concealer, type Values } from "./placeholders.ts";
import {
  type Entry,
  isStateMessage,
  parse,
  type Recording,
  type RecordingHeader,
  type UserAction,
} from "./recording.ts";

export interface RecorderOptions {
  /** The companion's port, or the path of its socket. */
  readonly target: number | string;
  /** Where the CLI connects, if that is the path of a socket. */
  readonly path?: string;
  /** What becomes a placeholder: folders and tokens at least. */
  readonly values: Values;
  readonly header: RecordingHeader;
}

/** A proxy between a CLI and its companion that records what passes: HTTP, event streams and WebSockets. */
export interface Recorder extends Resident {
  /** Where the CLI connects, if that is a port. */
  readonly port: number;
  /** Notes what the user does in the editor; call it before the user does it. */
  user(action: UserAction): void;
  /** Notes that a file has this content now. */
  file(path: string, text: string): void;
  /** From now on what the companion sends on open streams does not arrive, and the CLI does not notice. */
  lose(): void;
  /** Breaks every stream and socket; what comes on later ones arrives. */
  cut(): void;
  recording(): Recording;
}

/** Headers of a connection, not of a message; and those that the player makes itself. */
const ofConnection =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|accept-encoding|sec-websocket-(?:key|version|extensions))$/;

export async function startRecorder({ target, path, values, header }: RecorderOptions): Promise<Recorder> {
  const concealer = new Concealer(values);
  const entries: Entry[] = [];
  const open = new Set<() => void>();
  const streams = new Set<ServerResponse>();
  const lossy = new WeakSet<ServerResponse>();
  let exchanges = 0;
  const record = (entry: Entry) => void entries.push(entry);

  const recordRequest = ({ method = "GET", url = "/", headers }: IncomingMessage, body?: Buffer): number => {
    exchanges += 1;
    record({
      on: exchanges,
      request: {
        method,
        path: concealer.text(url),
        headers: concealHeaders(concealer, headersOfMessage(headers)),
        ...(body !== undefined && body.length > 0 && { body: concealer.value(parse(String(body))) }),
      },
    });
    return exchanges;
  };
  const recordResponse = (on: number, answer: IncomingMessage, body?: Buffer) => {
    const session = answer.headers["mcp-session-id"];
    if (typeof session === "string") concealer.nameId(session);
    record({
      on,
      response: {
        status: answer.statusCode ?? 0,
        headers: concealHeaders(concealer, headersOfAnswer(answer)),
        ...(body !== undefined && body.length > 0 && { body: concealer.value(parse(String(body))) }),
      },
    });
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(incoming);
    const on = recordRequest(incoming, body);
    const { method, url } = incoming;
    const onPort = typeof target === "number";
    const headers = { ...incoming.headers, host: onPort ? `127.0.0.1:${target}` : "localhost" };
    const to = onPort ? { host: "127.0.0.1", port: target } : { socketPath: target };
    const outgoing = request({ ...to, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!isEventStream(method ?? "", answer)) {
        buffer(answer).then(
          (content) => {
            recordResponse(on, answer, content);
            response.end(content);
          },
          () => response.destroy(), // the companion has gone
        );
        return;
      }
      recordResponse(on, answer);
      response.flushHeaders();
      const parser = createParser({
        onEvent: ({ id, data }) =>
          record({
            on,
            event: {
              ...(id !== undefined && { id: concealer.nameId(id) }),
              data: concealer.value(parse(data)),
            },
          }),
      });
      const cut = () => response.destroy();
      open.add(cut);
      streams.add(response);
      let ended: "cli" | "companion" = "cli";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        parser.feed(chunk);
        if (!lossy.has(response)) response.write(chunk);
      });
      for (const event of ["end", "error"]) {
        answer.on(event, () => {
          ended = "companion";
          response.end();
        });
      }
      response.on("close", () => {
        open.delete(cut);
        streams.delete(response);
        record({ on, from: ended, close: {} });
      });
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    outgoing.end(body);
  };

  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 0,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  const upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const on = recordRequest(incoming);
    const { headers, url } = incoming;
    const offered = headers["sec-websocket-protocol"] ?? "";
    const protocols = offered.split(",").map((name) => name.trim());
    const { upgrade: _, "sec-websocket-protocol": _protocols, ...passed } = headersOfMessage(headers);
    const companion = new WebSocket(
      `ws://127.0.0.1:${target}${url}`,
      protocols.filter((name) => name !== ""),
      {
        headers: passed,
        maxPayload: 0,
      },
    );
    socket.on("error", () => companion.terminate());
    companion.on("error", () => socket.destroy()); // the companion has gone, or has refused
    companion.on("unexpected-response", (_, answer) => {
      recordResponse(on, answer);
      answer.resume();
      socket.end(`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\nconnection: close\r\n\r\n`);
    });
    let answer: IncomingMessage | undefined;
    companion.on("upgrade", (response) => {
      answer = response;
    });
    // It may send at once: what it sends waits until the CLI is there.
    const early: RawData[] = [];
    const hold = (data: RawData) => void early.push(data);
    companion.on("message", hold);
    companion.on("open", () => {
      if (answer) recordResponse(on, answer);
      sockets.handleUpgrade(incoming, socket, head, (cli) => {
        companion.off("message", hold);
        relay(on, cli, companion, early);
      });
    });
  };

  function relay(on: number, cli: WebSocket, companion: WebSocket, early: readonly RawData[]): void {
    let isOver = false;
    const cut = () => {
      isOver = true;
      record({ on, from: "cli", close: { code: 1006 } });
      cli.terminate();
      companion.terminate();
    };
    open.add(cut);
    const pass = (from: "cli" | "companion", to: WebSocket) => (data: RawData) => {
      record({ on, from, frame: concealer.value(parse(String(data))) });
      to.send(String(data));
    };
    const end = (from: "cli" | "companion", to: WebSocket) => (code: number) => {
      open.delete(cut);
      if (isOver) return;
      isOver = true;
      record({ on, from, close: { code } });
      if (code === 1005) to.close();
      else if (code === 1006) to.terminate();
      else to.close(code);
    };
    for (const data of early) pass("companion", cli)(data);
    cli.on("message", pass("cli", companion)).on("close", end("cli", companion));
    companion.on("message", pass("companion", cli)).on("close", end("companion", cli));
    cli.on("error", () => companion.terminate());
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy()); // the CLI has gone in the middle
  });
  server.on("upgrade", upgrade);
  return {
    port: path === undefined ? await listen(server) : await listenOn(server, path),
    user: (action) => record({ user: { ...action, ...concealAction(concealer, action) } }),
    file: (path, text) => record({ file: { path: concealer.text(path), text: concealer.text(text) } }),
    lose() {
      for (const stream of streams) lossy.add(stream);
    },
    cut() {
      for (const end of open) end();
    },
    recording: () => ({ header, entries: withoutPassingStates(entries, header.states) }),
    async close() {
      for (const end of open) end();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @returns no port */
async function listenOn(server: Server, path: string): Promise<0> {
  server.listen(path);
  await once(server, "listening");
  return 0;
}

function concealAction(concealer: Concealer, action: UserAction) {
  if (action.action === "focus") return { context: concealer.value(action.context) };
  const path = concealer.text(action.path);
  return action.action === "edit" ? { path, text: concealer.text(action.text) } : { path };
}

/** Without those of the connection. */
function headersOfMessage(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

function concealHeaders(concealer: Concealer, headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, concealer.text(value)]));
}

/** Without states that were followed by newer ones before anything else happened, or that had been sent before. */
function withoutPassingStates(all: readonly Entry[], states: readonly string[]): Entry[] {
  const entries = all.filter((entry, index) => {
    if (!isState(entry, states)) return true;
    const last = all.slice(0, index).findLast((one) => sameExchange(one, entry) && isState(one, states));
    return last === undefined || bodyOf(last) !== bodyOf(entry);
  });
  return entries.filter((entry, index) => {
    const next = entries[index + 1];
    return !(
      isState(entry, states) &&
      next !== undefined &&
      isState(next, states) &&
      sameExchange(entry, next)
    );
  });
}

const bodyOf = (entry: Entry) =>
  JSON.stringify("event" in entry ? entry.event.data : "frame" in entry ? entry.frame : undefined);

const sameExchange = (a: Entry, b: Entry) => "on" in a && "on" in b && a.on === b.on;

function isState(entry: Entry, states: readonly string[]): boolean {
  return isStateMessage(
    "event" in entry ? entry.event.data : "frame" in entry ? entry.frame : undefined,
    states,
  );
}
