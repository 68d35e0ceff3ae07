import type { Page } from "playwright-core";
import { poll } from "./deadline.ts";

/** The list that comes down from the top of a window, for commands, files and questions. */
export interface QuickInput {
  /** Opens it by a key, and types a text. */
  ask(key: string, text: string): Promise<void>;
  /** The same, and takes the first result once that shows this label. */
  pick(key: string, text: string, label: string): Promise<void>;
  /** Chooses from a list that is open, by a part of a label. */
  choose(label: string): Promise<void>;
}

export function quickInputOf(page: Page): QuickInput {
  const input = page.locator(".quick-input-widget input[type=text]");
  const results = page.locator(".quick-input-list .monaco-list-row");
  // What is chosen may ask another question, in the same place.
  const asked = () =>
    page
      .locator(".quick-input-widget:visible input[type=text]")
      .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value));
  /** Presses a key until it has had its effect: a window that is busy overhears it. */
  const insist = (key: string, isDone: () => Promise<boolean>) => {
    const seen = async () => ((await isDone()) ? true : undefined);
    const press = async () => {
      await page.keyboard.press(key);
      return poll(`effect of ${key}`, seen, { within: 10_000, every: 20 }).catch(() => undefined); // once more
    };
    return poll(`effect of ${key}`, press);
  };
  const ask = async (key: string, text: string) => {
    await insist(key, () => input.isVisible());
    await input.fill(text);
  };
  return {
    ask,
    async pick(key, text, label) {
      await ask(key, text);
      await results.first().filter({ hasText: label }).waitFor();
      await insist("Enter", async () => !(await asked()).includes(text));
    },
    async choose(label) {
      await results.filter({ hasText: label }).first().click();
      await input.waitFor({ state: "hidden" });
    },
  };
}
