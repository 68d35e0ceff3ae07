/** How those who live a day wait: by the global timers, which may be anybody's. */
export interface Pace {
  /** A pause in the middle of something. */
  wait(milliseconds: number): Promise<void>;
  /** A pause between two things, shortened as the day is; nobody holds anything meanwhile. */
  rest(milliseconds: number): Promise<void>;
  /** Those who are doing something this very moment, and do not wait. */
  readonly awake: number;
  /** Lets nobody begin anything new; resolves when all rest. */
  hold(): Promise<void>;
  release(): void;
  /** Whoever comes, and goes. */
  enter(): void;
  leave(): void;
}

/** @param shorter how many times shorter a day is than a day */
export function createPace(shorter: number): Pace {
  let awake = 0;
  let busy = 0;
  let held: { readonly promise: Promise<void>; readonly release: () => void } | undefined;
  let onRest: () => void = () => {};

  async function sleep(milliseconds: number): Promise<void> {
    awake -= 1;
    await new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
    awake += 1;
  }

  return {
    wait: sleep,
    async rest(milliseconds) {
      busy -= 1;
      if (busy === 0) onRest();
      await sleep(milliseconds / shorter);
      while (held) {
        awake -= 1;
        await held.promise;
        awake += 1;
      }
      busy += 1;
    },
    get awake() {
      return awake;
    },
    async hold() {
      let release = () => {};
      const promise = new Promise<void>((resolve) => {
        release = resolve;
      });
      held = { promise, release };
      if (busy === 0) return;
      await new Promise<void>((resolve) => {
        onRest = resolve;
      });
    },
    release() {
      held?.release();
      held = undefined;
    },
    enter() {
      awake += 1;
      busy += 1;
    },
    leave() {
      awake -= 1;
      busy -= 1;
      if (busy === 0) onRest();
    },
  };
}
