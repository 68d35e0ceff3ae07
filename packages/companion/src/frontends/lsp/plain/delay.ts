/** Something that happens after a while, unless it is put off or called off. */
export interface Delay {
  /** From now on, also when it runs already. */
  start(): void;
  stop(): void;
}

/** @param milliseconds it keeps no process alive */
export function createDelay(milliseconds: number, action: () => void): Delay {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      clearTimeout(timer);
      timer = setTimeout(action, milliseconds).unref();
    },
    stop: () => clearTimeout(timer),
  };
}
