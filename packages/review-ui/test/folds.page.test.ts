import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { decidable, editorOf } from "./page-harness.ts";

const { setUp } = useFixtures();

const body = Array.from({ length: 100 }, (_, index) => `  step(${index});\n`).join("");
const before = `one();\n${body}export function total(cart) {\n${body}  last();\n}\n`;
const after = before.replace("one", "two").replace("last", "end");
const layouts = ["side-by-side", "unified"] as const;

async function review(layout: (typeof layouts)[number]): Promise<Page> {
  const { page, propose } = await setUp({ files: { "a.ts": before } });
  await propose("a.ts", after);
  await editorOf(page, "a.ts").waitFor();
  await decidable(page);
  if (layout === "unified") await page.keyboard.press("u");
  await page.locator(`.diff-${layout}`).waitFor();
  return page;
}

/** What the bar between the two changes hides, on each side. */
const folded = (page: Page) => page.getByRole("button", { name: /unchanged lines$/ }).allTextContents();

test.each(layouts)("a fold is opened by 20 lines above and below, and closed again, %s", async (layout) => {
  const page = await review(layout);
  const sides = layout === "unified" ? 1 : 2;
  const hidden = (count: number) => Array.from({ length: sides }, () => `⋯ ${count} unchanged lines`);
  await expect.poll(() => folded(page)).toEqual(hidden(195));
  const draft = editorOf(page, "a.ts");
  const press = (name: string) => draft.getByRole("button", { name, exact: true }).click();
  await press("Show the first 20 of them");
  await expect.poll(() => folded(page)).toEqual(hidden(175));
  await draft.getByText("step(22);").waitFor();
  expect(await draft.getByText("step(23);").count()).toBe(0);
  await press("Show the last 20 of them");
  await expect.poll(() => folded(page)).toEqual(hidden(155));
  await press("Fold again");
  await expect.poll(() => folded(page)).toEqual(hidden(195));
  await press("195 unchanged lines");
  await expect.poll(() => folded(page)).toEqual([]);
  await draft.getByRole("button", { name: "Fold again" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => folded(page)).toEqual(hidden(195));
  await page.keyboard.press("Enter");
  await expect.poll(() => folded(page)).toEqual([]);
});

test("a fold names the function that the lines below it are in", async () => {
  const page = await review("side-by-side");
  await expect
    .poll(() => page.locator(".fold-place").allTextContents())
    .toEqual(["export function total(cart) {", "export function total(cart) {"]);
});

test("what is typed next to a fold leaves it closed, on both sides", async () => {
  const page = await review("side-by-side");
  await editorOf(page, "a.ts").getByText("step(2);").click();
  await page.keyboard.press("End");
  await page.keyboard.type(" // mine");
  expect(await folded(page)).toHaveLength(2);
});
