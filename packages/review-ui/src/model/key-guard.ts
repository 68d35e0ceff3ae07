/** Milliseconds without a key after which shortcuts work again. */
const pause = 1000;

/** Blocks shortcuts for a moment when the text that the user types in has closed: the next keys are meant as text. */
export type KeyGuard = ReturnType<typeof createKeyGuard>;

export function createKeyGuard(now: () => number = () => performance.now()) {
  let until = Number.NEGATIVE_INFINITY;
  return {
    /** To be called when the text has closed. */
    start: () => {
      until = now() + pause;
    },
    /** To be called for each key. @returns whether to ignore it */
    blocks: () => {
      const isBlocked = now() < until;
      if (isBlocked) until = now() + pause;
      return isBlocked;
    },
  };
}
