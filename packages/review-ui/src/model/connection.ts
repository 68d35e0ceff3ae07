import { type ReadonlySignal, signal } from "@preact/signals";
import type { FrontendMessage, PageMessage } from "./api.ts";
import { createHeartbeat } from "./heartbeat.ts";

/**
 * `silent`: the socket is open, but nobody answers at its other end.
 * `locked`: the companion does not know this browser, trying again is of no use.
 */
export type LinkState = "connecting" | "open" | "silent" | "lost" | "locked";

/** The socket to the frontend, which opens itself again whenever it is closed. */
export interface Connection {
  readonly state: ReadonlySignal<LinkState>;
  /** @returns false when there is no frontend to take it: nothing is queued here. */
  send(message: PageMessage): boolean;
  /** Tries now instead of after the pause. */
  retry(): void;
  /** Gives up: access is refused. */
  lock(): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly onMessage: (message: FrontendMessage) => void;
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
      if (socket !== own) return;
      failures = 0;
      state.value = "open";
      heart.start();
    });
    own.addEventListener("message", ({ data }) => {
      if (socket !== own) return;
      heart.heard();
      onMessage(JSON.parse(String(data)));
    });
    own.addEventListener("close", () => {
      if (socket === own) lost();
    });
  }

  function lost(): void {
    heart.stop();
    socket = undefined;
    if (isClosed) return;
    state.value = "lost";
    const pause = pauses[Math.min(failures, pauses.length - 1)] ?? 0;
    if (failures > 0) onFailure();
    failures += 1;
    timer = window.setTimeout(open, pause);
  }

  const heart = createHeartbeat({
    ask: () => send({ type: "ping" }),
    onSilence: () => {
      state.value = "silent";
    },
    onSound: () => {
      state.value = "open";
    },
    onDeath: drop,
  });

  /** Nothing comes through this socket any more, and it may be long before the system says so. */
  function drop(): void {
    const dead = socket;
    lost();
    dead?.close();
  }

  function send(message: PageMessage): boolean {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function retry(): void {
    if (isClosed) return;
    if (state.value === "silent") drop();
    if (socket) return;
    failures = 1;
    open();
  }

  const retryWhenVisible = () => {
    if (!document.hidden && state.value === "lost") retry();
  };

  function close(): void {
    isClosed = true;
    heart.stop();
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
    send,
    retry,
    lock: () => {
      close();
      state.value = "locked";
    },
    close,
  };
}
