import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures();

const makefile = "all:\n\tgo build\n\tgo test\n";

test("a tab that becomes spaces is seen on both sides, and in the unified view", async () => {
  const { page, propose } = await setUp({ files: { Makefile: makefile } });
  await propose("Makefile", makefile.replace("\tgo build", "    go build"));
  await page.getByText("only white space").waitFor();
  await expect.poll(() => page.locator(".cm-merge-a .cm-changedTab").count()).toBe(1);
  expect(await page.locator(".cm-merge-b .cm-changedSpace").count()).toBe(4);
  const sign = page.locator(".cm-merge-a .cm-changedTab");
  expect(await sign.evaluate((tab) => getComputedStyle(tab, "::before").content)).toBe('"→"');
  await page.keyboard.press("u");
  await page.locator(".diff-unified .cm-deletedLine .cm-changedTab").waitFor();
  expect(await page.locator(".diff-unified .cm-line .cm-changedSpace").count()).toBe(4);
});

test.each([
  ["only the last newline", "a\nb\n", "a\nb"],
  ["only line ends", "a\nb\n", "a\r\nb\r\n"],
  ["only white space", "a\n\tb\n", "a\n\n  b\n"],
  ["no difference", "a\nb\n", "a\nb\n"],
])("a change of nothing else says: %s", async (words, before, after) => {
  const { page, propose } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", after);
  await page.locator(".diff-title .badge", { hasText: words }).waitFor();
  expect(await page.getByText("whole file replaced").count()).toBe(0);
});

test("one changed character in a file of one line replaces no whole file", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": "version 1.2.3\n" } });
  await propose("a.txt", "version 1.2.4\n");
  await page.getByText("1 change", { exact: true }).waitFor();
  expect(await page.getByText("whole file replaced").count()).toBe(0);
});
