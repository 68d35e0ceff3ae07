import { signal } from "@preact/signals";
import type { FrontendMessage, PageMessage } from "./api.ts";

/**
 * `silent`: the socket is open, but the companion does not answer.
 * `locked`: the companion does not know this browser, and retrying is useless.
 */
export type LinkState = "connecting" | "open" | "silent" | "lost" | "locked";

export interface ConnectionOptions {
  readonly url: string;
  readonly onMessage: (message: FrontendMessage) => void;
  /** Called after every failed attempt. It can find out whether access is refused, which a socket does not report. */
  readonly onFailure: () => void;
}

/** Milliseconds between attempts. The first ones are short, because a companion restarts quickly. */
const pauses = [200, 400, 800, 1500, 3000, 5000];

/** The socket to the frontend, which reconnects when it is closed. */
export type Connection = ReturnType<typeof createConnection>;

export function createConnection({ url, onMessage, onFailure }: ConnectionOptions) {
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

  window.addEventListener("online", retry);
  document.addEventListener("visibilitychange", retryWhenVisible);
  open();
  return {
    state,
    /** @returns false when the socket is not open. Nothing is queued. */
    send,
    /** Reconnects now instead of after the pause. */
    retry,
    /** Stops reconnecting, because access is refused. */
    lock: () => {
      isClosed = true;
      heart.stop();
      clearTimeout(timer);
      window.removeEventListener("online", retry);
      document.removeEventListener("visibilitychange", retryWhenVisible);
      socket?.close();
      socket = undefined;
      state.value = "locked";
    },
  };
}

interface HeartbeatOptions {
  /** Sends a ping. */
  readonly ask: () => void;
  /** The other side has not answered in time. */
  readonly onSilence: () => void;
  /** The other side answers again. */
  readonly onAnswer: () => void;
  /** It has not answered for so long that the connection may be dead. */
  readonly onGiveUp: () => void;
  readonly now?: () => number;
}

/** Milliseconds from a message to the next ping, for an answer, and of silence until the connection is given up. */
const times = { interval: 2000, answer: 2500, giveUp: 20_000 };
/** A timer that fires this many milliseconds late was delayed, by work of this page or a computer that slept. */
const lateness = 250;

/** Detects when the other side of an open connection stops answering, and when it answers again. */
export function createHeartbeat(options: HeartbeatOptions) {
  const { ask, onSilence, onAnswer, onGiveUp, now = () => performance.now() } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSilent = false;

  function after(milliseconds: number, act: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  }

  function beat(): void {
    ask();
    const due = now() + times.answer;
    after(times.answer, () => {
      // After a delay, the answer may be in the event queue behind this.
      if (now() - due > lateness) beat();
      else fallSilent();
    });
  }

  function fallSilent(): void {
    isSilent = true;
    after(times.giveUp, onGiveUp);
    onSilence();
  }

  return {
    start: beat,
    /** To be called for every message of the other side. */
    received: () => {
      if (timer === undefined) return;
      after(times.interval, beat);
      if (!isSilent) return;
      isSilent = false;
      onAnswer();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      isSilent = false;
    },
  };
}
