/** Steps for the end, in reverse order. */
export interface Cleanup {
  later(step: () => Promise<unknown>): void;
  /** Runs the steps once. */
  close(): Promise<void>;
}

export function createCleanup(): Cleanup {
  const steps: (() => Promise<unknown>)[] = [];
  return {
    later: (step) => void steps.push(step),
    async close() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}
