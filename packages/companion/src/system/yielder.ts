/** Lets others have their turn during a long piece of work. */
export interface Yielder {
  /** Whether it is time; cheap enough to ask for every line of a file. */
  isDue(): boolean;
  yieldToEventLoop(): Promise<void>;
}

/** @param slice milliseconds of work between two turns of the others. */
export function createYielder(slice = 10): Yielder {
  let asked = 0;
  let end = performance.now() + slice;
  return {
    isDue: () => {
      asked += 1;
      return asked % 64 === 0 && performance.now() > end;
    },
    yieldToEventLoop: async () => {
      await new Promise(setImmediate);
      end = performance.now() + slice;
    },
  };
}
