/** What is to be done at the end, whenever that comes: the last first. */
export interface Tidy {
  later(step: () => Promise<unknown>): void;
  /** Does it, once. */
  close(): Promise<void>;
}

export function createTidy(): Tidy {
  const steps: (() => Promise<unknown>)[] = [];
  return {
    later: (step) => void steps.push(step),
    async close() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}
