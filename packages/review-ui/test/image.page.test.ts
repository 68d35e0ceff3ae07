import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { accept, decidable, openHarness } from "./page-harness.ts";

const { setUp } = useFixtures({ mayComplain: true });

/** Two red pixels. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
  "base64",
);
const svg = (colour: string, more = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">${more}<rect width="40" height="30" fill="${colour}"/></svg>\n`;

test("an image is shown in its tab, with its size", async () => {
  const fixture = await setUp({ files: { "dot.png": png } });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "dot.png" }).click();
  await page.getByRole("img", { name: "dot.png" }).waitFor();
  await page.getByText(`2 × 1, ${png.length} bytes`).waitFor();
  expect(await page.getByText("it is not shown").count()).toBe(0);
});

test("a text that replaces a shown image does not say that the image is not shown", async () => {
  const { page, propose } = await setUp({ files: { "dot.png": png } });
  await propose("dot.png", "text\n");
  await page.getByRole("img", { name: "On disk" }).waitFor();
  await page.getByText("Below is the whole text that replaces it.").waitFor();
  expect(await page.getByText("it is not shown").count()).toBe(0);
});

test("a picture that an agent has changed lies over the one before, as far as a slider says, by keys", async () => {
  const other =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const { page, turn } = await setUp({ files: { "dot.png": png } });
  await turn("Change", { "dot.png": Buffer.from(other, "base64"), "new.png": png });
  await page.getByRole("region", { name: /^Written/ }).waitFor();
  await page.keyboard.press("W");
  await page.getByRole("img", { name: "Written" }).first().waitFor();
  const slider = page.getByRole("slider", { name: "One over the other" });
  const covered = () =>
    page
      .locator(".image-layers img")
      .evaluateAll((found) => found.map((image) => getComputedStyle(image).clipPath));
  await expect.poll(covered).toEqual(["none", "inset(0px 0px 0px 50%)"]);
  await slider.focus();
  await page.keyboard.press("End");
  await expect.poll(covered).toEqual(["none", "inset(0px 0px 0px 100%)"]);
  expect(await slider.count()).toBe(1);
});

test("an image over the limit is not shown, but the limit is", async () => {
  const fixture = await setUp({ files: { "big.png": Buffer.concat([png, Buffer.alloc(6_000_000)]) } });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "big.png" }).click();
  await page.getByText("This image is too large to be shown: 6.0 MB, the limit is 5.2 MB.").waitFor();
});

test("a proposed SVG is drawn when asked for, next to the one on disk, and no script of it runs", async () => {
  const script = `<script>top.document.title = "taken"; fetch("/stolen")</script><image href="/stolen"/>`;
  const fixture = await setUp({ files: { "logo.svg": svg("red") } });
  const { page, propose } = fixture;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("stolen")) asked.push(request.url());
  });
  await propose("logo.svg", svg("blue", script));
  const toggle = page.getByRole("button", { name: "Show as a picture" });
  await toggle.waitFor();
  expect(await page.locator("iframe").count()).toBe(0);
  await toggle.click();
  const picture = (name: string) => page.frameLocator(`iframe[title="${name}"]`).locator("img");
  for (const name of ["On disk", "Proposed"]) await expect.poll(() => widthOf(picture(name))).toBe(40);
  expect(asked).toEqual([]);
  expect(await page.title()).not.toBe("taken");
  await page.getByRole("button", { name: "Hide the picture" }).click();
  await page.locator("iframe").first().waitFor({ state: "detached" });
});

const widthOf = (image: Locator) =>
  image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth);

/** A picture of ten thousand million squares in 2 kB. */
function endlessSvg(): string {
  const levels = Array.from({ length: 10 }, (_, level) => {
    const inside = level === 0 ? `<rect width="9" height="9"/>` : `<use href="#a${level - 1}"/>`.repeat(10);
    return `<g id="a${level}">${inside}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${levels.join("")}</svg>\n`;
}

test("an SVG that takes forever to draw is decided on all the same, also while it is drawn", async () => {
  // A whole Chromium: it keeps frames without rights in separate processes, as that of a user does.
  const harness = await openHarness(["elsewhere.example"]);
  const fixture = await harness.fixture({ files: { "bomb.svg": endlessSvg() } });
  try {
    const { page, propose, decisions } = fixture;
    await page.getByRole("treeitem", { name: "bomb.svg" }).click();
    await page.getByRole("textbox", { name: "bomb.svg, read only" }).waitFor();
    const proposed = endlessSvg().replace('"9"', '"8"');
    await propose("bomb.svg", proposed);
    await page.getByRole("tab", { name: "± bomb.svg" }).click();
    await page.getByRole("button", { name: "Show as a picture" }).last().click();
    await page.locator("iframe").first().waitFor();
    await page.getByRole("button", { name: "Hide the picture" }).waitFor();
    await decidable(page);
    await accept(page);
    await expect.poll(() => decisions.length).toBe(1);
  } finally {
    await fixture.close();
    await harness.close();
  }
});
