import { setTimeout as delay } from "node:timers/promises";

/**
 * Polls until nothing is missing.
 * @param missing sentences, none when all is well
 * @returns those that were left after `patience` milliseconds
 */
export async function untilNothing(
  missing: () => readonly string[] | Promise<readonly string[]>,
  patience: number,
) {
  const deadline = performance.now() + patience;
  for (let pause = 0; ; pause = Math.min(pause + 1, 20)) {
    const left = await missing();
    if (left.length === 0 || performance.now() > deadline) return left;
    await delay(pause);
  }
}
