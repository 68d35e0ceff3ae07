import { setTimeout as delay } from "node:timers/promises";

/**
 * Looks until there is something, or the time is over.
 * @param within milliseconds
 * @param pause milliseconds between two looks
 * @returns the first value that is neither undefined nor false; undefined when there is none in time
 */
export async function until<T>(
  look: () => T | false | undefined | Promise<T | false | undefined>,
  within: number,
  pause = 10,
): Promise<T | undefined> {
  const deadline = performance.now() + within;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() >= deadline) return undefined;
    await delay(pause);
  }
}
