/**
 * Keeps keys from doing things that their user meant as text: the text under their fingers is suddenly gone.
 */
export interface KeyHold {
  /** The text that was written in has gone: what follows is still meant for it. */
  begin(): void;
  /** A key is pressed. @returns whether it is to do nothing */
  holds(): boolean;
}

/** Milliseconds without a key after which its user has noticed. */
const pause = 1000;

export function createKeyHold(now: () => number = () => performance.now()): KeyHold {
  let until = Number.NEGATIVE_INFINITY;
  return {
    begin: () => {
      until = now() + pause;
    },
    holds: () => {
      const isHeld = now() < until;
      if (isHeld) until = now() + pause;
      return isHeld;
    },
  };
}
