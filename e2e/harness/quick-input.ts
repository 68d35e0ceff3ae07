import type { Locator, Page } from "playwright-core";
import { insist } from "../../packages/testkit/src/waiting.ts";
import { pressUntil } from "./press-until.ts";

/** What a row shows or does not show, besides its label. */
export interface Row {
  readonly hasText?: string;
  readonly hasNotText?: string;
}

/** Milliseconds in which a text is typed, and found, before the list is taken for closed. */
const limits = { typed: 2000, found: 10_000 } as const;

/** The list that comes down from the top of a window, for commands, files and questions. */
export function quickInputOf(page: Page) {
  const input = page.locator(".quick-input-widget input[type=text]");
  const results = page.locator(".quick-input-list .monaco-list-row");
  // What is chosen may ask another question, in the same place.
  const asked = () =>
    page
      .locator(".quick-input-widget:visible input[type=text]")
      .evaluateAll((inputs: HTMLInputElement[]) => inputs.map(({ value }) => value));
  /** It closes when the window moves the focus, which it may do a moment after a click: then once more. */
  const ask = (key: string, text: string, found: Locator) =>
    insist(
      `${text} found`,
      async () => {
        await pressUntil(page, [key], () => input.isVisible());
        await input.fill(text, { timeout: limits.typed }).catch(() => {}); // closed
      },
      () => found.isVisible(),
      { again: limits.found },
    );
  const rowOf = (label: string, row: Row) => results.filter({ hasText: label }).filter(row).first();
  const take = async (row: Locator) => {
    await row.click();
    await input.waitFor({ state: "hidden" });
  };
  return {
    /** Opens it by a key, types a text, and chooses from what is found by a part of a label. */
    async search(key: string, text: string, label: string, row: Row = {}) {
      await ask(key, text, rowOf(label, row));
      await take(rowOf(label, row));
    },
    /** The same, and takes the first result once that shows all of these. */
    async pick(key: string, text: string, ...shown: readonly (string | RegExp)[]) {
      let found = results.first();
      for (const hasText of shown) found = found.filter({ hasText });
      await ask(key, text, found);
      await pressUntil(page, ["Enter"], async () => !(await asked()).includes(text));
    },
    /** Chooses from a list that is open, by a part of a label. */
    choose: (label: string, row: Row = {}) => take(rowOf(label, row)),
  };
}
