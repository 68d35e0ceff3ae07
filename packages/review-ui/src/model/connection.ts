import { type ReadonlySignal, signal } from "@preact/signals";
import type { FrontendMessage, PageMessage } from "./api.ts";
import { createHeartbeat } from "./heartbeat.ts";

/**
 * `silent`: the socket is open, but the companion does not answer.
 * `locked`: the companion does not know this browser, and retrying is useless.
 */
export type LinkState = "connecting" | "open" | "silent" | "lost" | "locked";

/** The socket to the frontend, which reconnects when it is closed. */
export interface Connection {
  readonly state: ReadonlySignal<LinkState>;
  /** @returns false when the socket is not open. Nothing is queued. */
  send(message: PageMessage): boolean;
  /** Reconnects now instead of after the pause. */
  retry(): void;
  /** Stops reconnecting, because access is refused. */
  lock(): void;
  close(): void;
}

export interface ConnectionOptions {
  readonly url: string;
  readonly onMessage: (message: FrontendMessage) => void;
  /** Called after every failed attempt. It can find out whether access is refused, which a socket does not report. */
  readonly onFailure: () => void;
}

/** Milliseconds between attempts. The first ones are short, because a companion restarts quickly. */
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
      heart.received();
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
    onAnswer: () => {
      state.value = "open";
    },
    onGiveUp: drop,
  });

  /** Abandons a dead socket: the system may take long to report it closed. */
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
