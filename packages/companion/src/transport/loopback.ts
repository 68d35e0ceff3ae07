import {
  Agent,
  type ClientRequestArgs,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestOptions,
  request,
} from "node:http";
import { type AddressInfo, connect, type NetConnectOpts, type Server, type Socket } from "node:net";
import { Readable } from "node:stream";
import { codeOf } from "../system/error-message.ts";
import { isStranger, userOfServer } from "../system/liveness.ts";

export interface LoopbackOptions {
  /** By default any free one. */
  readonly port?: number;
  /** A connection could not be taken, as when the process has no file descriptor left; the server goes on. */
  readonly onTrouble: (error: Error) => void;
}

/**
 * Lets a server listen on 127.0.0.1 alone, where the CLIs look.
 * @returns the port
 * @throws Error of the system when the port cannot be had, worded for people where that address is missing
 */
export function listenOnLoopback(server: Server, { port = 0, onTrouble }: LoopbackOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(explain(error));
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", fail);
      // Without a listener it would end the process.
      server.on("error", onTrouble);
      resolve((server.address() as AddressInfo).port); // never a pipe's name: it listens on a port
    });
  });
}

/** Ends a server together with its connections. @param release closes what those connections serve */
export function closeServer(server: HttpServer, release = () => {}): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    release();
    server.closeAllConnections();
  });
}

/** A `Host` header that names one of our ports, as it would name another. Any other is for that port to refuse. */
export function readdressHost(host: string, from: number | undefined, to: number): string {
  const [, name, port] = /^(.*):(\d+)$/.exec(host) ?? [];
  return from !== undefined && port === String(from) ? `${name}:${to}` : host;
}

/** Tells why nobody can reach a port that we listen on; undefined when everybody can. */
export function whyUnreachable(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    const finish = (reason?: string) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once("connect", () => finish());
    socket.once("error", (error) => {
      const isDown = codeOf(error) === "ENETUNREACH";
      finish(isDown ? `Nobody can reach 127.0.0.1 here: ${remedy}` : undefined);
    });
    socket.unref();
  });
}

const remedy =
  "the loopback interface is down. Bring it up (on Linux: `ip link set lo up`), as agent CLIs look nowhere else.";

function explain(error: Error): Error {
  const code = codeOf(error);
  if (code !== "EADDRNOTAVAIL") return error;
  const message =
    "This machine has no address 127.0.0.1, on which agent CLIs look for a companion. " +
    "Give it to the loopback interface (on Linux: `ip address add 127.0.0.1/8 dev lo`).";
  return new Error(message, { cause: error });
}

/**
 * Of every HTTP server of ours, in milliseconds. What one who holds no token may take of our time: a client on this
 * machine sends a request's head at once, and its body, even through a forwarded port, within minutes. Streams
 * are not meant: they are answers.
 *
 * `keepAliveTimeout`: idle connections are kept longer than a CLI thinks, so that its next request finds one open. A
 * request that is sent just as one is closed is lost; and a relay passes on the companion's `Keep-Alive`, so all have the same.
 */
export const httpLimits = {
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2000,
  keepAliveTimeout: 120_000,
} as const;

/** Tells whether a port takes connections; within two seconds. */
export function canConnect(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (connected: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(connected);
    };
    // Counts the search for the host's name as well, which a socket's own limit does not.
    const timer = setTimeout(() => finish(false), 2000);
    socket.once("connect", () => finish(true));
    socket.once("error", () => finish(false));
  });
}

/** `fetch` for a server on this machine. */
export interface LoopbackFetch {
  (url: string | URL, init?: RequestInit): Promise<Response>;
  /** Ends idle connections. */
  close(): void;
}

/** A port is another user's: who wrote its number down was another one, or is no more. */
export class StrangersPort extends Error {
  override readonly name = "StrangersPort";
}

/**
 * Creates a `fetch` that reaches loopback whatever proxies the environment names, and that lets a stream be
 * silent for as long as it likes: the built-in one gives it up after five minutes. To another user's server
 * nothing is sent: it fails with StrangersPort.
 */
export function createLoopbackFetch(): LoopbackFetch {
  // An HTTP agent of ours: the global one may have a proxy.
  const agent = Object.assign(new Agent({ keepAlive: true }), { createConnection: connectToOwn });
  const fetchLoopback = (url: string | URL, init: RequestInit = {}) => send(new URL(url), init, agent);
  return Object.assign(fetchLoopback, { close: () => agent.destroy() });
}

function send(url: URL, init: RequestInit, agent: Agent): Promise<Response> {
  return new Promise((resolve, reject) => {
    const body = toBody(init.body);
    const options: RequestOptions = {
      agent,
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal && { signal: init.signal }),
    };
    const outgoing = request(url, options, (incoming) => {
      try {
        resolve(toResponse(incoming));
      } catch (error) {
        incoming.destroy();
        reject(error);
      }
    });
    outgoing.once("error", (error) => reject(init.signal?.aborted ? init.signal.reason : error));
    outgoing.end(body);
  });
}

/** Passes a connection on once it is known whose program is at its other end, as far as the system tells. */
function connectToOwn(
  options: ClientRequestArgs,
  done: (error: Error | null, socket: Socket) => void,
): undefined {
  const socket = connect(options as NetConnectOpts);
  const fail = (error: Error) => done(error, socket);
  socket.once("error", fail);
  socket.once("connect", () => {
    const user = userOfServer(socket);
    if (isStranger(user)) return void socket.destroy(new StrangersPort(describe(socket, user)));
    socket.off("error", fail);
    done(null, socket);
  });
}

const describe = ({ remotePort }: Socket, user: number) =>
  `port ${remotePort} is served by user ${user}, and not by you: nothing was sent there`;

/** @throws TypeError for anything but text, which is all that JSON needs */
function toBody(body: RequestInit["body"]): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string") return body;
  throw new TypeError("a body must be a string");
}

/** @throws Error where an answer is none that `fetch` could have, as of a server that is no companion */
function toResponse(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  if (status === 204 || status === 304) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  // Node's declaration of a web stream and the one of `fetch` differ in name only.
  return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array>, { status, headers });
}
