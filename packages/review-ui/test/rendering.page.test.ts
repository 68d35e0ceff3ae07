import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { editorOf } from "./page-harness.ts";

const { setUp } = useFixtures();

const before = "# Shop\n\nOne.\n";
const hostile = [
  "<script>document.title = 'ran'</script>",
  '<img src="http://127.0.0.1:9/pixel.png" onerror="document.title = 1">',
  "![a logo](http://127.0.0.1:9/logo.png) and [a link](javascript:alert(1)), ![own](/api/state)",
  `${">".repeat(3000)} deep`,
].join("\n\n");

test("a change of Markdown is shown rendered on request, follows what is typed, and says what has changed", async () => {
  const { page, propose } = await setUp({ files: { "README.md": before } });
  await propose(
    "README.md",
    "# Shop\n\nTwo *new* `words`.\n\n| a | | c |\n|--|--|--|\n| 1 | | 3 |\n\n- [x] done\n",
  );
  await page.getByRole("button", { name: "Show Markdown rendered (r)" }).click();
  const rendering = page.getByRole("region", { name: "README.md rendered" });
  await rendering.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  expect(await rendering.locator("em, code").allInnerTexts()).toEqual(["new", "words"]);
  expect(await rendering.locator("th, td").allInnerTexts()).toEqual(["a", "", "c", "1", "", "3"]);
  expect(await rendering.locator("li").innerText()).toBe("☑ done");
  expect(await rendering.locator("p.rendering-change").first().innerText()).toBe("Two new words.");
  expect(await rendering.locator("h1.rendering-change").count()).toBe(0);
  await editorOf(page, "README.md").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("## Typed\n\n");
  await rendering.getByRole("heading", { name: "Typed", level: 2 }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  await rendering.waitFor({ state: "detached" });
});

test("raw HTML in rendered Markdown is text, and nothing of it runs or is loaded", async () => {
  const { page, write } = await setUp({ files: { "README.md": hostile } });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("treeitem", { name: "README.md" }).click();
  await page.keyboard.press("r");
  const rendering = page.getByRole("region", { name: "README.md rendered" });
  await rendering.getByText("<script>document.title = 'ran'</script>").waitFor();
  await rendering
    .getByText('<img src="http://127.0.0.1:9/pixel.png" onerror="document.title = 1">')
    .waitFor();
  await rendering.getByText("a logo and a link, own").waitFor();
  expect(await rendering.locator("script, img, [href], [src], [onerror]").count()).toBe(0);
  expect(asked.filter((url) => /:9\/|api\/state/.test(url))).toEqual([]);
  expect(await page.title()).not.toBe("ran");
  // A file that is written meanwhile is rendered as it is.
  await write("README.md", "Now *this*.\n");
  await rendering.getByText("Now this.").waitFor();
});
