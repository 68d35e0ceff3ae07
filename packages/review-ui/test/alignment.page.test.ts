import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { isMatrix } from "../../testkit/src/matrix.ts";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures({ mayComplain: true });

/** Every third line is longer than half of any window here. */
const numbered = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `line ${index + 1}${index % 3 === 1 ? " and on".repeat(40) : ""}`,
  );
const before = numbered(24);
const changes: Readonly<Record<string, (lines: string[]) => void>> = {
  "lines are inserted": (lines) => lines.splice(5, 0, "new 1", `new 2${" wide".repeat(60)}`, "new 3"),
  "lines are deleted": (lines) => lines.splice(4, 3),
  "lines are replaced": (lines) => lines.splice(4, 3, "new 1"),
  "the first line is deleted": (lines) => lines.splice(0, 1),
  "lines are inserted before the first": (lines) => lines.splice(0, 0, "new 1", "new 2"),
  "the first line is replaced": (lines) => lines.splice(0, 1, `new 1${" wide".repeat(60)}`),
  "the last line is deleted": (lines) => lines.splice(-1, 1),
  "lines are added at the end": (lines) => lines.push("new 1", "new 2"),
  "the last line is replaced": (lines) => lines.splice(-1, 1, "new 1"),
  "all of this happens": (lines) => {
    lines.splice(-1, 1);
    lines.splice(15, 2);
    lines.splice(10, 1, "other 1", "other 2");
    lines.splice(5, 0, `new 2${" wide".repeat(60)}`);
    lines.splice(0, 0, "new 1");
  },
};

/** By how many pixels the tops of equal lines differ at most, or those of a line and its number. */
async function misalignment(page: Page): Promise<number> {
  return page.evaluate(() => {
    const side = (name: string) =>
      [...document.querySelectorAll(`.cm-merge-${name} .cm-line`)].flatMap((line) => {
        const text = line.textContent;
        return text === "" ? [] : { text, top: line.getBoundingClientRect().top };
      });
    const tops = (selector: string) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && element.textContent)
        .map((element) => element.getBoundingClientRect().top);
    const numbers = ["a", "b"].flatMap((name) => {
      // The empty line after the last line end has no number.
      const lines = [...document.querySelectorAll(`.cm-merge-${name} .cm-line`)].slice(0, -1);
      const found = tops(`.cm-merge-${name} .cm-lineNumbers .cm-gutterElement`);
      if (found.length !== lines.length) return [Number.POSITIVE_INFINITY];
      return lines.map((line, index) => Math.abs(line.getBoundingClientRect().top - (found[index] ?? 0)));
    });
    const left = new Map(side("a").map(({ text, top }) => [text, top]));
    const both = side("b").filter(({ text }) => left.has(text));
    if (both.length < 15) return Number.POSITIVE_INFINITY;
    return Math.max(...numbers, ...both.map(({ text, top }) => Math.abs(top - (left.get(text) ?? 0))));
  });
}

for (const width of [1440, 1000, 700]) {
  for (const wrap of [true, false]) {
    // A commit tries each kind of wrapping in one window.
    if (!isMatrix && width !== (wrap ? 1440 : 700)) continue;
    test(`equal lines stand next to each other at ${width} pixels with wrapping ${wrap ? "on" : "off"}`, async () => {
      // A commit tries all changes at once where nothing wraps.
      const names = Object.keys(changes).filter((name) => isMatrix || wrap || name === "all of this happens");
      const files = Object.fromEntries(names.map((name) => [`${name}.txt`, `${before.join("\n")}\n`]));
      const fixture = await setUp({ files, browser: { viewport: { width, height: 4600 } } });
      const { page, propose } = fixture;
      await page.evaluate((value) => {
        localStorage.setItem("ide-companion.wrap", JSON.stringify(value));
        localStorage.setItem("ide-companion.layout.narrow", JSON.stringify("side-by-side"));
      }, wrap);
      await page.reload();
      for (const name of names) {
        const lines = [...before];
        changes[name]?.(lines);
        const proposal = await propose(`${name}.txt`, `${lines.join("\n")}\n`);
        await page.getByRole("textbox", { name: `${name}.txt as proposed` }).waitFor();
        await page.getByRole("button", { name: "Show all" }).click();
        await expect.poll(() => misalignment(page), { message: name }).toBeLessThanOrEqual(1);
        await fixture.closeFromTerminal(proposal);
        await page.getByRole("textbox", { name: `${name}.txt as proposed` }).waitFor({ state: "detached" });
      }
    });
  }
}

test("equal lines stay next to each other while the text changes", async () => {
  const fixture = await setUp({
    files: { "a.txt": `${before.join("\n")}\n` },
    browser: { viewport: { width: 1440, height: 1600 } },
  });
  const { page, propose } = fixture;
  const lines = [...before];
  changes["all of this happens"]?.(lines);
  await propose("a.txt", `${lines.join("\n")}\n`);
  await page.getByRole("button", { name: /^Revert change 1/ }).click();
  await page.getByText("4 changes").waitFor();
  await expect.poll(() => misalignment(page)).toBeLessThanOrEqual(1);
  await page.keyboard.press("i");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("more");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Enter");
  await page.getByText("5 changes").waitFor();
  await expect.poll(() => misalignment(page)).toBeLessThanOrEqual(1);
});

test("without wrapping the buttons of a change stay visible while a long line is scrolled", async () => {
  const fixture = await setUp({ files: { "a.txt": `one\ntwo${" wide".repeat(100)}\n` } });
  const { page, propose } = fixture;
  await page.keyboard.press("w");
  await propose("a.txt", `one\n2${" wide".repeat(300)}\n`);
  const revert = page.getByRole("button", { name: /^Revert change 1/ });
  const right = async () => {
    const box = await revert.boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  const side = await page.locator(".cm-merge-b .cm-scroller").boundingBox();
  const edge = (side?.x ?? 0) + (side?.width ?? 0);
  await expect.poll(right).toBeLessThanOrEqual(edge);
  await page.keyboard.press("i");
  await page.keyboard.press("End");
  const scrolled = () =>
    page.evaluate(() => [...document.querySelectorAll(".cm-scroller")].map((one) => one.scrollLeft));
  // The shorter text goes along as far as it can, and does not pull the longer one back.
  await expect.poll(async () => Math.min(...(await scrolled()))).toBeGreaterThan(500);
  expect(Math.max(...(await scrolled()))).toBeGreaterThan(9000);
  expect(await right()).toBeLessThanOrEqual(edge);
  expect(await right()).toBeGreaterThan(edge - 100);
});
