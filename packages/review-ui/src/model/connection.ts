import { signal } from "@preact/signals";
import type { AnswerTo, FrontendMessage, PageMessage } from "./api.ts";

/**
 * `silent`: the socket is open, but the companion does not answer.
 * `locked`: the companion does not know this browser, and retrying is useless.
 */
export type LinkState = "connecting" | "open" | "silent" | "lost" | "locked";

export interface ConnectionOptions {
  readonly url: string;
  readonly onMessage: (message: Exclude<FrontendMessage, { readonly type: "answered" }>) => void;
  /** Asks for the companion. It can find out whether access is refused, which a socket does not report. */
  readonly isThere: () => Promise<boolean>;
}

/** Sends a message that is answered. @throws Error with a sentence for the user */
export type Ask = Connection["ask"];
type Answer = Omit<Extract<FrontendMessage, { readonly type: "answered" }>, "type" | "ask">;

const unreached = { trouble: "The companion cannot be reached just now." };

/** Milliseconds between attempts. The first ones are short, because a companion restarts quickly. */
const pauses = [200, 400, 800, 1500, 3000, 5000];

/** The socket to the frontend, which reconnects when it is closed. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly state = signal<LinkState>("connecting");
  readonly #heart = createHeartbeat({
    ask: () => void this.ask({ type: "ping" }).catch(() => {}),
    onState: (state) => {
      if (state === "dead") this.#drop();
      else this.state.value = state;
    },
  });
  #socket: WebSocket | undefined;
  #timer: number | undefined;
  #failures = 0;
  /** By the numbers of messages that have no answer yet. */
  readonly #asked = new Map<number, (answer: Answer) => void>();
  #count = 0;
  readonly #end = new AbortController();

  constructor(options: ConnectionOptions) {
    this.#options = options;
    const { signal: until } = this.#end;
    window.addEventListener("online", () => this.retry(), { signal: until });
    const retryWhenVisible = () => {
      if (!document.hidden && this.state.value === "lost") this.retry();
    };
    document.addEventListener("visibilitychange", retryWhenVisible, { signal: until });
    this.#open();
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const own = new WebSocket(this.#options.url);
    this.#socket = own;
    own.addEventListener("open", () => {
      if (this.#socket !== own) return;
      this.#failures = 0;
      this.state.value = "open";
      this.#heart.start();
    });
    own.addEventListener("message", ({ data }) => {
      if (this.#socket !== own) return;
      this.#heart.received();
      const message: FrontendMessage = JSON.parse(String(data));
      if (message.type === "answered") this.#answer(message.ask, message);
      else this.#options.onMessage(message);
    });
    own.addEventListener("close", () => {
      if (this.#socket === own) this.#lost();
    });
  }

  #answer(ask: number, answer: Answer): void {
    this.#asked.get(ask)?.(answer);
    this.#asked.delete(ask);
  }

  #lost(): void {
    this.#heart.stop();
    this.#socket = undefined;
    for (const ask of this.#asked.keys()) this.#answer(ask, unreached);
    if (this.#end.signal.aborted) return;
    this.state.value = "lost";
    const pause = pauses[Math.min(this.#failures, pauses.length - 1)] ?? 0;
    this.#failures += 1;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#reopen(), pause);
  }

  /** After sockets that fail, Firefox delays the next one by up to a minute: we open one where somebody answers. */
  async #reopen(): Promise<void> {
    const isThere = await this.#options.isThere();
    if (this.#socket || this.#end.signal.aborted) return;
    if (isThere) this.#open();
    else this.#lost();
  }

  /** Abandons a dead socket: the system may take long to report it closed. */
  #drop(): void {
    const dead = this.#socket;
    this.#lost();
    dead?.close();
  }

  /** @returns false when the socket is not open. Nothing is queued. */
  send(message: PageMessage & { readonly ask?: number }): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Sends a message that is answered. @throws Error with a sentence for the user, also when no answer can come */
  ask<Type extends PageMessage["type"]>(
    message: Extract<PageMessage, { readonly type: Type }>,
  ): Promise<AnswerTo<Type>> {
    this.#count += 1;
    const ask = this.#count;
    return new Promise((resolve, reject) => {
      this.#asked.set(ask, ({ answer, trouble }) => {
        if (trouble === undefined) resolve(answer as AnswerTo<Type>);
        else reject(new Error(trouble));
      });
      if (!this.send({ ...message, ask })) this.#answer(ask, unreached);
    });
  }

  /** Reconnects now instead of after the pause. */
  retry(): void {
    if (this.#end.signal.aborted) return;
    if (this.state.value === "silent") this.#drop();
    if (this.#socket) return;
    this.#failures = 1;
    void this.#reopen();
  }

  /** Stops reconnecting, because access is refused. */
  lock(): void {
    this.#end.abort();
    this.#heart.stop();
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#socket = undefined;
    this.state.value = "locked";
  }
}

interface HeartbeatOptions {
  /** Sends a ping. */
  readonly ask: () => void;
  /** The other side has not answered in time, or answers again; `dead`: the connection may be, after so long. */
  readonly onState: (state: "silent" | "open" | "dead") => void;
  readonly now?: () => number;
}

/** Milliseconds between two pings. */
const pace = 2500;
/** A timer that fires this many milliseconds late was delayed, by work of this page or a computer that slept. */
const lateness = 250;
/** So many pings without any message after them are a silence, and give the connection up. */
const unanswered = { silence: 1, giveUp: 9 };

/** Detects when the other side of an open connection stops answering, and when it answers again. */
export function createHeartbeat(options: HeartbeatOptions) {
  const { ask, onState, now = () => performance.now() } = options;
  let timer: ReturnType<typeof setInterval> | undefined;
  let lastBeat = 0;
  /** Pings since the last message. */
  let pings = 0;

  function beat(): void {
    const isLate = now() - lastBeat > pace + lateness;
    lastBeat = now();
    // After a delay, the answer may be in the event queue behind this.
    if (!isLate && pings === unanswered.silence) onState("silent");
    if (pings === unanswered.giveUp) {
      onState("dead");
      return;
    }
    if (!isLate) pings += 1;
    ask();
  }

  return {
    start: () => {
      lastBeat = now();
      timer = setInterval(beat, pace);
      beat();
    },
    /** To be called for every message of the other side. */
    received: () => {
      if (pings > unanswered.silence) onState("open");
      pings = 0;
    },
    stop: () => {
      clearInterval(timer);
      pings = 0;
    },
  };
}
