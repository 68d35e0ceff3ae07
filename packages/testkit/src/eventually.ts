import { vi } from "vitest";

/** Waits until an assertion holds: at once when it does, and long enough for a machine that is busy with other tests. */
export function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertion, { timeout: 20_000, interval: 10 });
}
