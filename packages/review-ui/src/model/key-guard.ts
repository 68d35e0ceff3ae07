/** Blocks shortcuts for a moment when the text that the user types in has closed: the next keys are meant as text. */
export interface KeyGuard {
  /** To be called when the text has closed. */
  start(): void;
  /** To be called for each key. @returns whether to ignore it */
  blocks(): boolean;
}

/** Milliseconds without a key after which shortcuts work again. */
const pause = 1000;

export function createKeyGuard(now: () => number = () => performance.now()): KeyGuard {
  let until = Number.NEGATIVE_INFINITY;
  return {
    start: () => {
      until = now() + pause;
    },
    blocks: () => {
      const isBlocked = now() < until;
      if (isBlocked) until = now() + pause;
      return isBlocked;
    },
  };
}
