/** Detects when the other side of an open connection stops answering, and when it answers again. */
export interface Heartbeat {
  start(): void;
  /** To be called for every message of the other side. */
  received(): void;
  stop(): void;
}

export interface HeartbeatOptions {
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

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
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
