/** Lets others have their turn during a long piece of work. */
export interface Breather {
  /** Whether it is time; cheap enough to ask for every line of a file. */
  isDue(): boolean;
  take(): Promise<void>;
}

/** @param slice milliseconds of work between two turns of the others. */
export function createBreather(slice = 10): Breather {
  let asked = 0;
  let end = performance.now() + slice;
  return {
    isDue: () => {
      asked += 1;
      return asked % 64 === 0 && performance.now() > end;
    },
    take: async () => {
      await new Promise(setImmediate);
      end = performance.now() + slice;
    },
  };
}
