import { Agent, type ClientRequestArgs, type IncomingMessage, type RequestOptions, request } from "node:http";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { Readable } from "node:stream";
import { isStranger, userOfServer } from "../system/socket-users.ts";

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
    const outgoing = request(url, options, (incoming) => resolve(toResponse(incoming)));
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
