/** How agents wait: by the global timers, which a test may replace. */
export interface Pace {
  /** A pause in the middle of something. */
  wait(milliseconds: number): Promise<void>;
  /** A pause between two actions, shortened like the day; the agent holds nothing during it. */
  rest(milliseconds: number): Promise<void>;
  /** How many agents are not waiting. */
  readonly awake: number;
  /** Stops new actions; resolves when all agents rest. */
  hold(): Promise<void>;
  release(): void;
  /** An agent starts, and ends. */
  enter(): void;
  leave(): void;
}

/** @param shorter the factor by which the day is shortened */
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
