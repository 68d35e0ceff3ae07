import type { Locator, Page } from "playwright-core";
import { insist } from "../../packages/testkit/src/waiting.ts";
import { pressUntil } from "./press-until.ts";

/** The right side of a diff. */
export const proposedSide = (page: Page): Locator => page.locator(".modified-in-monaco-diff-editor");

/** Goes away as soon as what was typed is there. */
const refusal = (page: Page): Locator =>
  page.locator(".monaco-editor-overlaymessage").getByText("Cannot edit in read-only editor");

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
  const lines = proposed.locator(".view-lines:not(.line-delete) .view-line");
  await page.keyboard.insertText(after);
  await insist(
    `edit that replaces ${before}`,
    // On a busy machine VS Code shows a large proposal some moments before it takes edits, and says so.
    async () => ((await refusal(page).count()) > 0 ? page.keyboard.insertText(after) : undefined),
    async () => (await lines.filter({ hasText: after }).count()) > 0,
    { again: 1000 },
  );
}
