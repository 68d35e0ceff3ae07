import { createServer, type Server, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { codeOf, messageOf } from "../../system/error-message.ts";
import { type FramedChannel, toFramedChannel } from "../../transport/framed-socket.ts";
import {
  type ListenOptions,
  type LocalSocket,
  listenOnLocalSocket,
  reachLocalSocket,
} from "../../transport/local-socket.ts";
import { maxMessageBytes, maxUnreadBytes } from "../../transport/message-limit.ts";
import { joinRouter, type RouterClient } from "./client.ts";
import { type Answerer, Router } from "./router.ts";

/** Connections at once; each is a program of this user, so more of them is a fault. */
const maxConnections = 256;

/** Bytes of the longest message of a program that has not introduced itself. A question is far shorter. */
const maxQuestionBytes = 64 * 1024;

/** In milliseconds. The first is drawn by lot, for the router's successors not to come all at once. */
const delays = { successor: 200, trouble: 5000, check: 2000, sign: 5000, start: 3000 };

/** A router that answers nobody for so long, in milliseconds, has stopped: the CLI waits no longer for an answer. */
const stopped = 5000;

/** How often another one may be faster before that is a trouble. */
const races = 5;

/** A socket that programs share. */
export interface Place {
  /** For people. */
  readonly name: string;
  /** @returns undefined where nobody serves it @throws Error for any other reason */
  reach(): Promise<Socket | undefined>;
  /** @throws Error; its code is EADDRINUSE when another program serves it, and answers */
  listen(server: Server, options: ListenOptions): Promise<LocalSocket>;
}

/** @param address path of the socket, or name of the pipe */
export const toPlace = (address: string): Place => ({
  name: address,
  reach: () => reachLocalSocket(address),
  listen: (server, options) => listenOnLocalSocket(server, { ...options, path: address }),
});

/**
 * Takes part in the one socket that all companions of a user, and other programs, share: who comes first listens and
 * routes, the others are its clients, and when it goes, or stops, one of them takes its place.
 * @param onTrouble the socket cannot be used, a sentence; it is tried again. Not repeated
 * @returns once it has a role, or a trouble; or before, where the router may have stopped
 */
export async function takeSeat(
  place: Place,
  answerer: Answerer,
  onTrouble: (message: string) => void,
): Promise<Seat> {
  const seat = new Seat(place, answerer, onTrouble);
  await Promise.race([seat.attempt(), wait(delays.start, undefined, { ref: false })]);
  return seat;
}

/** A companion's seat at one of the sockets at which the CLI asks. */
export class Seat {
  readonly #place: Place;
  readonly #answerer: Answerer;
  readonly #onTrouble: (message: string) => void;
  #isClosed = false;
  #isOpen = false;
  #timer: NodeJS.Timeout | undefined;
  #reported = "";
  #router: { readonly socket: LocalSocket; readonly server: Server; readonly own: Router } | undefined;
  #client: FramedChannel | undefined;

  constructor(place: Place, answerer: Answerer, onTrouble: (message: string) => void) {
    this.#place = place;
    this.#answerer = answerer;
    this.#onTrouble = onTrouble;
  }

  /** Whether others speak through this companion, or this one through another; or whether that is being found out. */
  get role(): "router" | "client" | "none" | "open" {
    if (this.#router) return "router";
    if (this.#client) return "client";
    return this.#isOpen ? "open" : "none";
  }

  /** Removes the socket if it is our own. Synchronous, for exit handlers; may be repeated. */
  removeFile(): void {
    this.#router?.socket.remove();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#client?.close();
    await this.#leave();
  }

  /** Takes a role, or tries again later. */
  async attempt(): Promise<void> {
    this.#isOpen = true;
    try {
      await this.#takeRole();
      this.#reported = "";
    } catch (error) {
      this.#report(error);
      this.#retry(delays.trouble);
    } finally {
      this.#isOpen = false;
    }
  }

  #report(error: unknown): void {
    const message = messageOf(error);
    if (message !== this.#reported) this.#onTrouble(message);
    this.#reported = message;
  }

  #retry(delay = Math.random() * delays.successor): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.attempt(), delay).unref();
  }

  async #takeRole(left = races): Promise<void> {
    try {
      if (!(await this.#join())) await this.#listen();
    } catch (error) {
      // Another one has been faster, or ends.
      if (codeOf(error) !== "EADDRINUSE" || left === 0) throw error;
      await this.#takeRole(left - 1);
    }
  }

  /** @returns false where nobody listens, or nobody answers */
  async #join(): Promise<boolean> {
    const socket = await this.#place.reach();
    if (!socket) return false;
    const channel = toChannel(socket);
    if (this.#isClosed) channel.close();
    this.#client = channel;
    let isJoined = false;
    channel.onClose(() => {
      if (this.#client !== channel) return;
      this.#client = undefined;
      if (isJoined) this.#retry();
    });
    const router = joinRouter(channel, this.#answerer);
    const joined = await router.joined;
    if (joined === "joined") {
      isJoined = true;
      void this.#watch(channel, router);
      return true;
    }
    this.#client = undefined;
    channel.close();
    if (this.#isClosed) return true;
    if (joined === "silent") return false;
    const refusal = new Error(
      `The program that listens on ${this.#place.name} does not take this companion.`,
    );
    // Or it has ended just then, and its place is free or another one's.
    throw joined === "left" ? Object.assign(refusal, { code: "EADDRINUSE" }) : refusal;
  }

  /** Leaves a router that answers neither this client nor anybody else. */
  async #watch(channel: FramedChannel, router: RouterClient): Promise<void> {
    const isOver = () => this.#isClosed || this.#client !== channel;
    while (!isOver()) {
      await wait(delays.sign, undefined, { ref: false });
      if (isOver() || (await router.isAnswered())) continue;
      const socket = await this.#place.reach().catch(() => undefined); // the next attempt says why
      if (!(socket && (await isAnswering(socket)))) channel.close();
    }
  }

  async #listen(): Promise<void> {
    const own = new Router(this.#answerer);
    const server = createServer((connection) => {
      const maxMessage = () => (isIntroduced() ? maxMessageBytes : maxQuestionBytes);
      const isIntroduced = own.add(toChannel(connection, maxMessage));
    });
    server.maxConnections = maxConnections;
    const onTrouble = (error: unknown) => this.#report(error);
    const socket = await this.#place.listen(server, { onTrouble, isAnswering }).catch((error: unknown) => {
      server.close(); // it may listen already
      throw error;
    });
    this.#router = { socket, server, own };
    if (this.#isClosed) return void this.#leave();
    this.#timer = setInterval(() => {
      if (socket.isInPlace()) return;
      clearInterval(this.#timer);
      void this.#leave();
      this.#retry();
    }, delays.check).unref();
  }

  /** Ends the router's part. */
  async #leave(): Promise<void> {
    const { server, own, socket } = this.#router ?? {};
    this.#router = undefined;
    socket?.remove();
    const closed = new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
    own?.close();
    await closed;
  }
}

/** Whether a router at the other end still runs. It answers every introduction, this one of nobody as well. */
async function isAnswering(socket: Socket): Promise<boolean> {
  const channel = toChannel(socket);
  const joined = await joinRouter(channel, { concern: () => "none", answer: () => undefined }, stopped)
    .joined;
  channel.close();
  return joined !== "silent";
}

const toChannel = (socket: Socket, maxMessage = () => maxMessageBytes) =>
  toFramedChannel(socket, { maxMessage, maxUnread: maxUnreadBytes });
