import type { Page } from "playwright-core";
import { poll } from "./deadline.ts";

/** Presses keys, one after the other, until they have had their effect: a window that is busy overhears them. */
export function pressUntil(
  page: Page,
  keys: readonly string[],
  isDone: () => Promise<boolean>,
): Promise<void> {
  const seen = async () => ((await isDone()) ? true : undefined);
  const press = async () => {
    for (const key of keys) await page.keyboard.press(key);
    return poll(`effect of ${keys}`, seen, { within: 10_000, every: 20 }).catch(() => undefined); // once more
  };
  return poll(`effect of ${keys}`, press).then(() => {});
}
