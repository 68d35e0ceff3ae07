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
