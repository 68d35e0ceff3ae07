import type { Page } from "playwright-core";
import { pressUntil } from "./press-until.ts";

/** The list that comes down from the top of a window, for commands, files and questions. */
export interface QuickInput {
  /** Opens it by a key, and types a text. */
  ask(key: string, text: string): Promise<void>;
  /** The same, and takes the first result once that shows all of these. */
  pick(key: string, text: string, ...shown: readonly (string | RegExp)[]): Promise<void>;
  /** Chooses from a list that is open, by a part of a label, and by what the row shows or does not show besides. */
  choose(label: string, row?: { readonly hasText?: string; readonly hasNotText?: string }): Promise<void>;
}

export function quickInputOf(page: Page): QuickInput {
  const input = page.locator(".quick-input-widget input[type=text]");
  const results = page.locator(".quick-input-list .monaco-list-row");
  // What is chosen may ask another question, in the same place.
  const asked = () =>
    page
      .locator(".quick-input-widget:visible input[type=text]")
      .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value));
  const ask = async (key: string, text: string) => {
    await pressUntil(page, [key], () => input.isVisible());
    await input.fill(text);
  };
  return {
    ask,
    async pick(key, text, ...shown) {
      await ask(key, text);
      let found = results.first();
      for (const hasText of shown) found = found.filter({ hasText });
      await found.waitFor();
      await pressUntil(page, ["Enter"], async () => !(await asked()).includes(text));
    },
    async choose(label, row = {}) {
      await results.filter({ hasText: label }).filter(row).first().click();
      await input.waitFor({ state: "hidden" });
    },
  };
}
