import type { Page } from "playwright-core";
import { insist } from "../../packages/testkit/src/waiting.ts";

/**
 * Presses keys, one after the other, until they have had their effect.
 * @param again after how many milliseconds they are pressed once more
 */
export function pressUntil(
  page: Page,
  keys: readonly string[],
  hasHappened: () => Promise<boolean>,
  again = 10_000,
): Promise<void> {
  const press = async () => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return insist(`effect of ${keys}`, press, hasHappened, { again });
}
