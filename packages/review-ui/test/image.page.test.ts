import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

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

test("an image over the limit is not shown, but the limit is", async () => {
  const fixture = await setUp({ files: { "big.png": Buffer.concat([png, Buffer.alloc(6_000_000)]) } });
  const { page } = fixture;
  await page.getByRole("treeitem", { name: "big.png" }).click();
  await page.getByText("This image is too large to be shown: 6.0 MB, the limit is 5.2 MB.").waitFor();
});

test("a proposed image is shown next to the one on disk, and no script of it runs", async () => {
  const script = `<script>top.document.title = "taken"; fetch("/stolen")</script><image href="/stolen"/>`;
  const fixture = await setUp({ files: { "logo.svg": svg("red") } });
  const { page, propose } = fixture;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("stolen")) asked.push(request.url());
  });
  await propose("logo.svg", svg("blue", script));
  const images = page.getByRole("region", { name: "Image" });
  for (const name of ["On disk", "Proposed"]) await images.getByRole("img", { name }).waitFor();
  await expect.poll(() => images.getByText("40 × 30").count()).toBe(2);
  expect(asked).toEqual([]);
  expect(await page.title()).not.toBe("taken");
  await page.keyboard.press("i");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("<broken");
  await images.getByText("The browser cannot show this image.").waitFor();
});
