/** Notices when the other side of an open connection falls silent, and when it speaks again. */
export interface Heartbeat {
  start(): void;
  /** Something has come from the other side. */
  heard(): void;
  stop(): void;
}

export interface HeartbeatOptions {
  /** Asks for an answer. */
  readonly ask: () => void;
  /** It has not answered in time. */
  readonly onSilence: () => void;
  /** It speaks again. */
  readonly onSound: () => void;
  /** It has been silent for so long that the connection itself may be dead. */
  readonly onDeath: () => void;
  readonly now?: () => number;
}

/** Milliseconds from an answer to the next question, for an answer, and of silence until the connection is given up. */
const times = { rest: 2000, answer: 2500, death: 20_000 };
/** A timer that is so much late has been held up: by this page's own work, or by a computer that slept. */
const lateness = 250;

export function createHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { ask, onSilence, onSound, onDeath, now = () => performance.now() } = options;
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
      // Then the answer may wait in the queue behind this.
      if (now() - due > lateness) beat();
      else fallSilent();
    });
  }

  function fallSilent(): void {
    isSilent = true;
    after(times.death, onDeath);
    onSilence();
  }

  return {
    start: beat,
    heard: () => {
      if (timer === undefined) return;
      after(times.rest, beat);
      if (!isSilent) return;
      isSilent = false;
      onSound();
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      isSilent = false;
    },
  };
}
