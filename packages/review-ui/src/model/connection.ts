import { type ReadonlySignal, signal } from "@preact/signals";
import type { DoorMessage, PageMessage } from "./wire.ts";

/** `locked`: the door does not know this browser, trying again is of no use. */
export type LinkState = "connecting" | "open" | "lost" | "locked";

/** The socket to the door, which opens itself again whenever it is closed. */
export interface Connection {
  readonly state: ReadonlySignal<LinkState>;
  /** @returns false when there is no door to take it: nothing is queued here. */
  send(message: PageMessage): boolean;
  /** Tries now instead of after the pause. */
  retry(): void;
  /** Gives up: access is refused. */
  lock(): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly onMessage: (message: DoorMessage) => void;
  /** After every attempt that failed: tells a refusal, which a socket does not, from an absence. */
  readonly onFailure: () => void;
}

/** Milliseconds between attempts: the first soon, for a companion that restarts. */
const pauses = [200, 400, 800, 1500, 3000, 5000];

export function createConnection({ url, onMessage, onFailure }: ConnectionOptions): Connection {
  const state = signal<LinkState>("connecting");
  let socket: WebSocket | undefined;
  let timer: number | undefined;
  let failures = 0;
  let isClosed = false;

  function open(): void {
    clearTimeout(timer);
    timer = undefined;
    const own = new WebSocket(url);
    socket = own;
    own.addEventListener("open", () => {
      failures = 0;
      state.value = "open";
    });
    own.addEventListener("message", ({ data }) => onMessage(JSON.parse(String(data))));
    own.addEventListener("close", () => {
      if (socket === own) lost();
    });
  }

  function lost(): void {
    socket = undefined;
    if (isClosed) return;
    state.value = "lost";
    const pause = pauses[Math.min(failures, pauses.length - 1)] ?? 0;
    if (failures > 0) onFailure();
    failures += 1;
    timer = window.setTimeout(open, pause);
  }

  function retry(): void {
    if (socket || isClosed) return;
    failures = 1;
    open();
  }

  const retryWhenVisible = () => {
    if (!document.hidden) retry();
  };

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
    window.removeEventListener("online", retry);
    document.removeEventListener("visibilitychange", retryWhenVisible);
    socket?.close();
    socket = undefined;
  }

  window.addEventListener("online", retry);
  document.addEventListener("visibilitychange", retryWhenVisible);
  open();
  return {
    state,
    send: (message) => {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    retry,
    lock: () => {
      close();
      state.value = "locked";
    },
    close,
  };
}
