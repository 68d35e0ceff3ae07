import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures();

test("the areas next to the text are resized by pointer and by keys, and stay so after a reload", async () => {
  const { page } = await setUp({ files: { "a.txt": "a\n" } });
  const widthOf = (area: string) =>
    page.locator(area).evaluate((element) => Math.round(element.getBoundingClientRect().width));
  const divider = page.getByRole("separator", { name: "Width of the files" });
  const box = await divider.boundingBox();
  if (!box) throw new Error("there is no divider");
  await page.mouse.move(box.x + 3, 400);
  await page.mouse.down();
  await page.mouse.move(box.x + 103, 400);
  await page.mouse.up();
  await expect.poll(() => widthOf(".sidebar")).toBe(348);
  await page.getByRole("separator", { name: "Width of the companion" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => widthOf(".side-panel")).toBe(288);
  await page.reload();
  await expect.poll(() => widthOf(".sidebar")).toBe(348);
  await divider.dblclick();
  await expect.poll(() => widthOf(".sidebar")).toBe(248);
  expect(await widthOf(".side-panel")).toBe(288);
});

test("a long name is cut in the middle, and a long path takes one row", async () => {
  const names = ["one", "two"].map((end) => `src/deep/a-long-name-that-begins-as-another-one-${end}.test.ts`);
  const { page, propose } = await setUp({ browser: { viewport: { width: 1000, height: 700 } } });
  for (const name of names) await propose(name, "new\n");
  const items = page.locator(".waiting-item");
  await expect.poll(() => items.count()).toBe(2);
  for (const [index, end] of ["one.test.ts", "two.test.ts"].entries()) {
    const tail = items.nth(index).locator(".cut-end");
    expect(await tail.textContent()).toContain(end);
    const [row, shown] = [await items.nth(index).boundingBox(), await tail.boundingBox()];
    expect(row && shown && shown.x + shown.width <= row.x + row.width).toBe(true);
  }
  expect((await page.locator(".diff-path").boundingBox())?.height).toBeLessThan(24);
});

test("the rows of a wrapped line begin below its text", async () => {
  const { page } = await setUp({ files: { "a.txt": `    ${"some words ".repeat(60)}\n` } });
  await page.getByRole("treeitem", { name: "a.txt" }).click();
  const line = page.locator(".cm-line").first();
  await line.waitFor();
  const style = await line.evaluate((element) => getComputedStyle(element).textIndent);
  expect(Number.parseFloat(style)).toBeLessThan(-40);
});

test.each(["side-by-side", "unified"])(
  "the size of the code is chosen by keys, its numbers follow, and it stays so after a reload, %s",
  async (layout) => {
    const { page, propose } = await setUp({ files: { "a.txt": "one\ntwo\nthree\n" } });
    await propose("a.txt", "one\n2\n3\n4\nthree\n");
    await page.locator(".diff .cm-line").first().waitFor();
    if (layout === "unified") await page.keyboard.press("u");
    await page.locator(`.diff-${layout} .cm-line`).first().waitFor();
    await page.getByRole("combobox", { name: "Size of the code" }).focus();
    await page.keyboard.type("20");
    const isAligned = () =>
      page.evaluate(() => {
        const top = (element: Element | undefined) => element?.getBoundingClientRect().top ?? 0;
        const editor = [...document.querySelectorAll(".cm-editor")].at(-1);
        const number = [
          ...(editor?.querySelectorAll(".cm-lineNumbers:not(.cm-oldNumbers) .cm-gutterElement") ?? []),
        ].find(({ textContent }) => textContent === "5");
        const line = [...(editor?.querySelectorAll(".cm-line") ?? [])].find(
          ({ textContent }) => textContent === "three",
        );
        const { fontSize, lineHeight } = line ? getComputedStyle(line) : {};
        return [fontSize, lineHeight, Math.abs(top(number) - top(line)) < 2];
      });
    await expect.poll(isAligned).toEqual(["20px", "27px", true]);
    await page.reload();
    await expect.poll(isAligned).toEqual(["20px", "27px", true]);
  },
);
