import type { Locator, Page } from "playwright-core";
import { pressUntil } from "./press-until.ts";

/** The right side of a diff. */
export const proposedSide = (page: Page): Locator => page.locator(".modified-in-monaco-diff-editor");

/** Selects the first occurrence of a text, by the editor's own search. */
export async function find(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.locator(".view-line").last().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  const input = page.locator(".find-widget.visible textarea").first();
  await input.fill(text);
  await page
    .locator(".find-widget.visible .matchesCount")
    .filter({ hasText: /^\d+ of/ })
    .waitFor();
  await pressUntil(page, ["Escape"], async () => (await page.locator(".find-widget.visible").count()) === 0);
}

/** Replaces the first occurrence of a text in the right side of the diff that is looked at. */
export async function replaceInProposal(page: Page, before: string, after: string): Promise<void> {
  const proposed = proposedSide(page);
  await find(page, proposed, before);
  await page.keyboard.insertText(after);
  await proposed.locator(".view-lines:not(.line-delete) .view-line").filter({ hasText: after }).waitFor();
}
