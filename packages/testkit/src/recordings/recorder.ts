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
  isState,
  messageIn,
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

/** Headers of a connection, not of a message; and those that the player makes itself. */
const ofConnection =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|accept-encoding|sec-websocket-(?:key|version|extensions))$/;

/** A proxy between a CLI and its companion that records what passes: HTTP, event streams and WebSockets. */
export class Recorder implements Resident {
  readonly #options: RecorderOptions;
  readonly #concealer: Concealer;
  readonly #entries: Entry[] = [];
  readonly #open = new Set<() => void>();
  readonly #streams = new Set<ServerResponse>();
  readonly #lossy = new WeakSet<ServerResponse>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 0,
    handleProtocols: (offered) => [...offered][0] ?? false,
  });
  readonly #server: Server;
  #exchanges = 0;
  /** Where the CLI connects, if that is a port. */
  port = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#concealer = new Concealer(options.values);
    this.#server = createServer((incoming, response) => {
      this.#serve(incoming, response).catch(() => response.destroy()); // the CLI has gone in the middle
    });
    this.#server.on("upgrade", (...given) => this.#upgrade(...given));
  }

  async listen(): Promise<this> {
    const { path } = this.#options;
    if (path === undefined) this.port = await listen(this.#server);
    else await once(this.#server.listen(path), "listening");
    return this;
  }

  #record(entry: Entry): void {
    this.#entries.push(entry);
  }

  #conceal(headers: Record<string, string>, body: Buffer | undefined) {
    const concealed = Object.entries(headers).map(([name, value]) => [name, this.#concealer.text(value)]);
    return {
      headers: Object.fromEntries(concealed),
      ...(body !== undefined && body.length > 0 && { body: this.#concealer.value(parse(String(body))) }),
    };
  }

  #recordRequest({ method = "GET", url = "/", headers }: IncomingMessage, body?: Buffer): number {
    this.#exchanges += 1;
    const path = this.#concealer.text(url);
    const request = { method, path, ...this.#conceal(headersOfMessage(headers), body) };
    this.#record({ on: this.#exchanges, request });
    return this.#exchanges;
  }

  #recordResponse(on: number, answer: IncomingMessage, body?: Buffer): void {
    const session = answer.headers["mcp-session-id"];
    if (typeof session === "string") this.#concealer.nameId(session);
    const response = { status: answer.statusCode ?? 0, ...this.#conceal(headersOfAnswer(answer), body) };
    this.#record({ on, response });
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { target } = this.#options;
    const body = await buffer(incoming);
    const on = this.#recordRequest(incoming, body);
    const { method, url } = incoming;
    const onPort = typeof target === "number";
    const headers = { ...incoming.headers, host: onPort ? `127.0.0.1:${target}` : "localhost" };
    const to = onPort ? { host: "127.0.0.1", port: target } : { socketPath: target };
    const outgoing = request({ ...to, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (isEventStream(method ?? "", answer)) {
        this.#passStream(on, answer, response);
        return;
      }
      buffer(answer).then(
        (content) => {
          this.#recordResponse(on, answer, content);
          response.end(content);
        },
        () => response.destroy(), // the companion has gone
      );
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    outgoing.end(body);
  }

  #passStream(on: number, answer: IncomingMessage, response: ServerResponse): void {
    this.#recordResponse(on, answer);
    response.flushHeaders();
    const parser = createParser({
      onEvent: ({ id, data: text }) => {
        const named = id === undefined ? {} : { id: this.#concealer.nameId(id) };
        this.#record({ on, event: { ...named, data: this.#concealer.value(parse(text)) } });
      },
    });
    const cut = () => response.destroy();
    this.#open.add(cut);
    this.#streams.add(response);
    let ended: "cli" | "companion" = "cli";
    answer.setEncoding("utf8").on("data", (chunk: string) => {
      parser.feed(chunk);
      if (!this.#lossy.has(response)) response.write(chunk);
    });
    for (const event of ["end", "error"]) {
      answer.on(event, () => {
        ended = "companion";
        response.end();
      });
    }
    response.on("close", () => {
      this.#open.delete(cut);
      this.#streams.delete(response);
      this.#record({ on, from: ended, close: {} });
    });
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    const on = this.#recordRequest(incoming);
    const { headers, url } = incoming;
    const offered = headers["sec-websocket-protocol"] ?? "";
    const protocols = offered.split(",").map((name) => name.trim());
    const { upgrade: _, "sec-websocket-protocol": _protocols, ...passed } = headersOfMessage(headers);
    const companion = new WebSocket(
      `ws://127.0.0.1:${this.#options.target}${url}`,
      protocols.filter((name) => name !== ""),
      { headers: passed, maxPayload: 0 },
    );
    socket.on("error", () => companion.terminate());
    companion.on("error", () => socket.destroy()); // the companion has gone, or has refused
    companion.on("unexpected-response", (_, answer) => {
      this.#recordResponse(on, answer);
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
      if (answer) this.#recordResponse(on, answer);
      this.#sockets.handleUpgrade(incoming, socket, head, (cli) => {
        companion.off("message", hold);
        this.#relay(on, cli, companion, early);
      });
    });
  }

  #relay(on: number, cli: WebSocket, companion: WebSocket, early: readonly RawData[]): void {
    let isOver = false;
    const cut = () => {
      isOver = true;
      this.#record({ on, from: "cli", close: { code: 1006 } });
      cli.terminate();
      companion.terminate();
    };
    this.#open.add(cut);
    const pass = (from: "cli" | "companion", to: WebSocket) => (data: RawData) => {
      this.#record({ on, from, frame: this.#concealer.value(parse(String(data))) });
      to.send(String(data));
    };
    const end = (from: "cli" | "companion", to: WebSocket) => (code: number) => {
      this.#open.delete(cut);
      if (isOver) return;
      isOver = true;
      this.#record({ on, from, close: { code } });
      if (code === 1005) to.close();
      else if (code === 1006) to.terminate();
      else to.close(code);
    };
    for (const data of early) pass("companion", cli)(data);
    cli.on("message", pass("cli", companion)).on("close", end("cli", companion));
    companion.on("message", pass("companion", cli)).on("close", end("companion", cli));
    cli.on("error", () => companion.terminate());
  }

  /** Notes what the user does in the editor; call it before the user does it. */
  user(action: UserAction): void {
    this.#record({ user: { ...action, ...concealAction(this.#concealer, action) } });
  }

  /** Notes that a file has this content now. */
  file(path: string, text: string): void {
    this.#record({ file: { path: this.#concealer.text(path), text: this.#concealer.text(text) } });
  }

  /** From now on what the companion sends on open streams does not arrive, and the CLI does not notice. */
  lose(): void {
    for (const stream of this.#streams) this.#lossy.add(stream);
  }

  /** Breaks every stream and socket; what comes on later ones arrives. */
  cut(): void {
    for (const end of this.#open) end();
  }

  recording(): Recording {
    const { header } = this.#options;
    return { header, entries: withoutPassingStates(this.#entries, header.states) };
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
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

const bodyOf = (entry: Entry) => JSON.stringify(messageIn(entry));

const sameExchange = (a: Entry, b: Entry) => "on" in a && "on" in b && a.on === b.on;
