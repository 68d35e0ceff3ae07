import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { decidable, editorOf } from "./page-harness.ts";

const { setUp } = useFixtures();

const lines = Array.from({ length: 300 }, (_, index) => `line ${index}\n`);
const changed = lines.with(20, "new\n").with(150, "line 150\nadded\n").with(280, "");

test.each(["side-by-side", "unified"])(
  "a ruler marks each change and comment, and a click there goes to it, %s",
  async (layout) => {
    const { page, propose } = await setUp({ files: { "a.txt": lines.join("") } });
    await propose("a.txt", changed.join(""));
    await decidable(page);
    if (layout === "unified") await page.keyboard.press("u");
    await page.locator(`.diff-${layout}`).waitFor();
    await page.keyboard.press("e");
    await editorOf(page, "a.txt").getByText("line 0", { exact: true }).waitFor();
    const marks = () =>
      page
        .locator(".ruler-mark")
        .evaluateAll((found) =>
          found.map((mark) => [
            mark.className.split("-").at(-1),
            Math.round(Number.parseFloat(mark.style.top) / 10),
          ]),
        );
    await expect.poll(marks).toEqual([
      ["changed", 1],
      ["added", 5],
      ["removed", 9],
    ]);
    const ruler = page.locator(".ruler");
    const { height = 0 } = (await ruler.boundingBox()) ?? {};
    await ruler.click({ position: { x: 4, y: height * 0.97 } });
    await page.locator(".hunk-current").getByText("Change 3 of 3").waitFor();
    await page.keyboard.press("c");
    await page.keyboard.type("Why?");
    await page.keyboard.press("Escape");
    await expect.poll(marks).toEqual([
      ["changed", 1],
      ["added", 5],
      ["removed", 9],
      ["comment", 9],
    ]);
    await ruler.click({ position: { x: 4, y: height / 2 } });
    await page.locator(".hunk-current").getByText("Change 2 of 3").waitFor();
  },
);

test("one ruler marks what a turn has written in all files, and a click there goes to a file far away", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `file${index}.txt`);
  const all = (text: readonly string[]) => Object.fromEntries(names.map((name) => [name, text.join("")]));
  const { page, turn } = await setUp({ files: all(lines) });
  await turn("Change", all(changed));
  await page.getByRole("region", { name: /^Written/ }).waitFor();
  await page.keyboard.press("W");
  const change = (name: string) => page.getByRole("region", { name }).getByText("Change 1 of 3");
  await change("file0.txt").waitFor();
  const part = (number: number) => page.locator(".ruler-part").nth(number);
  await part(0).locator(".ruler-added").waitFor();
  expect(await part(19).locator(".ruler-mark").count()).toBe(1);
  // The files that are drawn are not as high as they were taken for.
  const places: (number | undefined)[] = [];
  await expect
    .poll(async () => {
      places.push((await part(19).boundingBox())?.y);
      return places.at(-1) === places.at(-2);
    })
    .toBe(true);
  await part(19).click();
  await change("file19.txt").waitFor();
  await expect.poll(() => part(19).locator(".ruler-mark:visible").count()).toBe(3);
  await page.locator(".scroll-current").getByText("Change 1 of 3").waitFor();
  // As far down in the ruler as the file is in the view.
  const shareOf = (selector: string) =>
    page.locator(selector).evaluate((all) => {
      const top = (element: Element | null) => element?.getBoundingClientRect().top ?? 0;
      return (top(all.lastElementChild) - top(all) + all.scrollTop) / all.scrollHeight;
    });
  expect(await shareOf(".ruler-of-all")).toBeCloseTo(await shareOf(".scroll-files"), 1);
});
