import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures();

const numbered = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
const before = numbered.with(4, `five ${"and so on ".repeat(60)}\n`).join("");
const after = numbered.toSpliced(4, 2).join("");

async function showUnified(page: Page): Promise<void> {
  await page.getByText("1 change", { exact: true }).waitFor();
  await page.keyboard.press("u");
  await page.locator(".diff-unified .cm-deletedChunk").first().waitFor();
}

/** The rows of a gutter next to removed lines: their text, and the line of the diff that each is next to. */
function rowsNextTo(page: Page, gutter: string): Promise<readonly (readonly [string, number])[]> {
  return page.evaluate((selector) => {
    const lines = [...document.querySelectorAll(".cm-deletedLine")].map((line) =>
      line.getBoundingClientRect(),
    );
    return [...document.querySelectorAll(`${selector} [data-removed-line]`)].map((row) => {
      const { top, height } = row.getBoundingClientRect();
      const nextTo = lines.findIndex((line) => Math.abs(line.top - top) < 1 && line.height === height);
      return [row.textContent ?? "", nextTo] as const;
    });
  }, gutter);
}

test("removed lines have their old numbers and one − each in the unified view, also wrapped ones", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", after);
  await showUnified(page);
  await expect
    .poll(() => rowsNextTo(page, ".cm-lineNumbers"))
    .toEqual([
      ["5", 0],
      ["6", 1],
    ]);
  expect(await rowsNextTo(page, ".cm-changeGutter")).toEqual([
    ["−", 0],
    ["−", 1],
  ]);
  const wrapped = await page.locator(".cm-deletedLine").first().boundingBox();
  expect(wrapped?.height).toBeGreaterThan(30);
  await page.setViewportSize({ width: 700, height: 800 });
  await expect
    .poll(() => rowsNextTo(page, ".cm-lineNumbers"))
    .toEqual([
      ["5", 0],
      ["6", 1],
    ]);
});

test("each line has its old and its new number in the unified view", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", numbered.toSpliced(4, 2, "new\n").join(""));
  await showUnified(page);
  const numbers = async (gutter: string) =>
    (await page.locator(`.cm-gutter${gutter} .cm-gutterElement:visible`).allInnerTexts())
      .flatMap((text) => text.split("\n"))
      .filter((text) => text !== "");
  await expect.poll(() => numbers(".cm-oldNumbers")).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  // The + of an added line is drawn by its style.
  const others = ["1", "2", "3", "4", "5", "6", "7", "8", "−", "−"];
  expect(await numbers(":not(.cm-oldNumbers)")).toEqual(others);
});

test("a removed line takes a comment in the unified view", async () => {
  const { page, propose, decisions } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", after);
  await showUnified(page);
  await page.locator(".cm-lineNumbers [data-removed-line='6']").click();
  await page.getByRole("textbox", { name: "Comment on line 6" }).waitFor();
  await page.keyboard.insertText("Keep this.");
  await page.keyboard.press("Control+Enter");
  const box = await page.locator(".comment-box").boundingBox();
  const removed = await page.locator(".cm-deletedLine").last().boundingBox();
  expect(box && removed && box.y - removed.y - removed.height).toBeLessThan(12);
  await page.getByRole("button", { name: "Reject and say why" }).click();
  await expect.poll(() => decisions.length).toBe(1);
  expect(decisions[0]).toMatchObject({
    comments: [{ side: "original", startLine: 6, quote: "line 6", text: "Keep this." }],
  });
});

test("a new file without its last newline shows no removed line", async () => {
  const { page, propose } = await setUp();
  await propose("new.txt", "one\ntwo");
  await page.locator(".cm-changedLineGutter").first().waitFor();
  const heights = () =>
    page
      .locator(".cm-deletedChunk, .cm-deletedLineGutter")
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().height));
  await expect.poll(async () => Math.max(...(await heights()))).toBe(0);
  expect(await page.locator(".cm-changedLineGutter").count()).toBe(2);
});

test("the empty line after the last newline is marked neither as added nor as removed", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": "one\n" } });
  await propose("a.txt", "one\ntwo");
  await page.getByText("1 change", { exact: true }).waitFor();
  await page.locator(".cm-merge-b .cm-changedLineGutter").waitFor();
  expect(await page.locator(".cm-merge-a .cm-changedLineGutter").count()).toBe(0);
});
