/** Lets others have their turn during a long piece of work. */
export interface Yielder {
  /** Whether it is time; cheap enough to ask for every line of a file. */
  isDue(): boolean;
  yieldToEventLoop(): Promise<void>;
}

/** Milliseconds of work between two turns of the others. */
const slice = 10;

export function createYielder(): Yielder {
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
