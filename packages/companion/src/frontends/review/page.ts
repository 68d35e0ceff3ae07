import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import type { FrontendMessage } from "./protocol.ts";

/** Bytes that may wait for a page before states are left out; a stuck tab must not grow the companion. */
const defaultBufferLimit = 4 * 1024 * 1024;

/** Milliseconds between two histories: each is a list of all that was decided, and nobody reads faster. */
const historyInterval = 100;

/** Whole states: the newest replaces those before it. */
type StateMessage = Extract<
  FrontendMessage,
  { readonly type: "roots" | "sessions" | "proposals" | "history" | "context" }
>;

/** One open review page, at the other end of a socket. */
export interface Page {
  /** This socket's page, among all that there are and were. */
  readonly id: string;
  /** Survives a reload; undefined when the page does not say. */
  readonly key: string | undefined;
  /** States are put off while the page is slow to read, histories also after another; nothing else is left out. */
  send(message: FrontendMessage): void;
  /** Asks for what is unsent of a proposal's draft. Resolves when the page has answered or is gone. */
  flush(id: string): Promise<void>;
  /** The page has answered `flush`. */
  flushed(id: string): void;
  /** The socket is closed. */
  gone(): void;
}

export function createPage(
  socket: Pick<WebSocket, "send" | "bufferedAmount" | "readyState" | "OPEN">,
  key: string | undefined,
  bufferLimit = defaultBufferLimit,
): Page {
  const putOff = new Map<string, StateMessage>();
  /** `performance.now()` of the last history. */
  let historySentAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const flushes = new Map<string, (() => void)[]>();
  const isBehind = () => socket.bufferedAmount > bufferLimit;

  function send(message: FrontendMessage): void {
    if (socket.readyState !== socket.OPEN) return;
    if (isState(message)) {
      putOff.delete(message.type);
      const isSoon =
        message.type === "history" &&
        (timer !== undefined || performance.now() - historySentAt < historyInterval);
      if (isSoon) timer ??= setTimeout(catchUpLater, historyInterval);
      if (isSoon || isBehind()) {
        putOff.set(message.type, message);
        return;
      }
      if (message.type === "history") historySentAt = performance.now();
    }
    socket.send(JSON.stringify(message), catchUp);
  }

  function catchUpLater(): void {
    timer = undefined;
    catchUp();
  }

  function catchUp(): void {
    for (const message of [...putOff.values()]) {
      if (isBehind()) return;
      send(message);
    }
  }

  function flush(id: string): Promise<void> {
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    return new Promise((resolve) => {
      flushes.set(id, [...(flushes.get(id) ?? []), resolve]);
      send({ type: "flush", id });
    });
  }

  function flushed(id: string): void {
    for (const resolve of flushes.get(id) ?? []) resolve();
    flushes.delete(id);
  }

  return {
    id: randomUUID(),
    key,
    send,
    flush,
    flushed,
    gone: () => {
      clearTimeout(timer);
      for (const id of [...flushes.keys()]) flushed(id);
    },
  };
}

function isState(message: FrontendMessage): message is StateMessage {
  const { type } = message;
  return (
    type === "roots" ||
    type === "sessions" ||
    type === "proposals" ||
    type === "history" ||
    type === "context"
  );
}
