import { createServer, type Server } from "node:net";
import { codeOf, messageOf } from "../../system/error-message.ts";
import { type FramedChannel, toFramedChannel } from "../../transport/framed-socket.ts";
import { type LocalSocket, listenOnLocalSocket, reachLocalSocket } from "../../transport/local-socket.ts";
import { joinRouter } from "./client.ts";
import { type Answerer, Router } from "./router.ts";

/** Connections at once; each is a program of this user, so more of them is a fault. */
const maxConnections = 256;

/**
 * Bytes of the longest message. A question is far shorter than the first; the programs that have introduced themselves
 * pass whole conversations on to each other, for which the limit is the one of the largest messages elsewhere.
 */
const limits = { question: 64 * 1024, message: 64 * 1024 * 1024 };

/** In milliseconds. The first is drawn by lot, for the router's successors not to come all at once. */
const delays = { successor: 200, trouble: 5000, check: 2000 };

/** How often another one may be faster before that is a trouble. */
const races = 5;

/** A companion's seat at one of the sockets at which the CLI asks. */
export interface Seat {
  /** Whether others speak through this companion, or this one through another. */
  readonly role: "router" | "client" | "none";
  /** Removes the socket if it is our own. Synchronous, for exit handlers; may be repeated. */
  removeFile(): void;
  close(): Promise<void>;
}

export interface SeatOptions {
  /** Path of the socket, or name of the pipe. */
  readonly address: string;
  readonly answerer: Answerer;
  /** The socket cannot be used, a sentence; it is tried again. Not repeated. */
  readonly onTrouble: (message: string) => void;
}

/**
 * Takes part in the one socket that all companions of a user, and other programs, share: who comes first listens and
 * routes, the others are its clients, and when it goes one of them takes its place.
 * @returns once it has a role, or a trouble
 */
export async function takeSeat({ address, answerer, onTrouble }: SeatOptions): Promise<Seat> {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let reported = "";
  let router: { readonly socket: LocalSocket; readonly server: Server; readonly own: Router } | undefined;
  let client: FramedChannel | undefined;

  const report = (error: unknown) => {
    const message = messageOf(error);
    if (message !== reported) onTrouble(message);
    reported = message;
  };
  const retry = (delay: number) => {
    clearTimeout(timer);
    if (!isClosed) timer = setTimeout(() => void attempt(), delay).unref();
  };
  const retrySoon = () => retry(Math.random() * delays.successor);

  async function attempt(): Promise<void> {
    try {
      await takeRole();
      reported = "";
    } catch (error) {
      report(error);
      retry(delays.trouble);
    }
  }

  async function takeRole(left = races): Promise<void> {
    try {
      if (!(await join())) await listen();
    } catch (error) {
      // Another one has been faster.
      if (codeOf(error) !== "EADDRINUSE" || left === 0) throw error;
      await takeRole(left - 1);
    }
  }

  /** @returns false where nobody listens */
  async function join(): Promise<boolean> {
    const socket = await reachLocalSocket(address);
    if (!socket) return false;
    const channel = toFramedChannel(socket, { maxMessage: () => limits.message, maxUnread: limits.message });
    if (isClosed) channel.close();
    client = channel;
    channel.onClose(() => {
      client = undefined;
      retrySoon();
    });
    if (await joinRouter(channel, answerer)) return true;
    channel.close();
    if (!isClosed) throw new Error(`The program that listens on ${address} does not take this companion.`);
    return true;
  }

  async function listen(): Promise<void> {
    const own = new Router(answerer);
    const server = createServer((connection) => {
      const maxMessage = () => (isIntroduced() ? limits.message : limits.question);
      const isIntroduced = own.add(toFramedChannel(connection, { maxMessage, maxUnread: limits.message }));
    });
    server.maxConnections = maxConnections;
    const socket = await listenOnLocalSocket(server, { path: address, onTrouble: report });
    router = { socket, server, own };
    if (isClosed) return void leave();
    timer = setInterval(() => {
      if (socket.isInPlace()) return;
      clearInterval(timer);
      void leave();
      retrySoon();
    }, delays.check).unref();
  }

  /** Ends the router's part. */
  async function leave(): Promise<void> {
    const { server, own, socket } = router ?? {};
    router = undefined;
    socket?.remove();
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    own?.close();
    await closed;
  }

  await attempt();
  return {
    get role() {
      if (router) return "router";
      return client ? "client" : "none";
    },
    removeFile: () => router?.socket.remove(),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      client?.close();
      await leave();
    },
  };
}
