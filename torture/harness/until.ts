import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds of the real clock, also where a part has replaced the global one. */
export const now = performance.now.bind(performance);

/**
 * Polls until nothing is missing.
 * @param missing sentences, none when all is well
 * @returns those that were left after `patience` milliseconds
 */
export async function untilNothing(
  missing: () => readonly string[] | Promise<readonly string[]>,
  patience: number,
) {
  const deadline = now() + patience;
  for (let pause = 0; ; pause = Math.min(pause + 1, 20)) {
    const left = await missing();
    if (left.length === 0 || now() > deadline) return left;
    await delay(pause);
  }
}
