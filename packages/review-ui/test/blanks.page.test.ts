import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { accept, decidable, typeInFirstLine } from "./page-harness.ts";

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
  await page.locator(".diff-unified .cm-deletedChunk .cm-changedTab").waitFor();
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

const wrapped = "if (ok) {\n  one();\n  two();\n}\nend();\n";

test("lines that are only indented are hidden on request, also after a reload, and the page says so", async () => {
  const { page, propose, decisions } = await setUp({ files: { "a.ts": "one();\ntwo();\nend();\n" } });
  await propose("a.ts", wrapped);
  await decidable(page);
  const marked = () => page.locator(".cm-merge-b .cm-changedLineGutter").count();
  await expect.poll(marked).toBe(4);
  await page.keyboard.press("h");
  await expect.poll(marked).toBe(2);
  await page.getByRole("note").getByText("white space alone are shown as unchanged").waitFor();
  expect(await page.locator(".cm-merge-a .cm-changedLineGutter").count()).toBe(0);
  await page.reload();
  await decidable(page);
  await expect.poll(marked).toBe(2);
  await page.keyboard.press("u");
  await page.locator(".diff-unified .cm-changedLineGutter").first().waitFor();
  expect(await page.locator(".diff-unified .cm-deletedLine").count()).toBe(0);
  await page.getByRole("button", { name: "Show them" }).click();
  await expect.poll(() => page.locator(".diff-unified .cm-deletedLine").count()).toBe(2);
  await page.keyboard.press("h");
  await accept(page);
  await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: wrapped }]);
});

test("a change of white space alone is not called the same as the file on disk when it is hidden", async () => {
  const { page, propose } = await setUp({ files: { Makefile: makefile } });
  await propose("Makefile", makefile.replace("\tgo build", "    go build"));
  await decidable(page);
  await page.keyboard.press("h");
  await page.getByText("no change", { exact: true }).waitFor();
  await page.getByRole("note").getByText("white space alone are shown as unchanged").waitFor();
  expect(await page.getByText("This text is the same as the file on disk.").count()).toBe(0);
  // What the user types is compared with the file, too.
  await typeInFirstLine(page, "Makefile", "x");
  await page.getByText("1 change", { exact: true }).waitFor();
  await page.keyboard.press("Backspace");
  await page.keyboard.type("  ");
  await page.getByText("no change", { exact: true }).waitFor();
});

test("with white space hidden, a key reverts the written change that it is part of, and no other", async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join("");
  const { page, turn, folder } = await setUp({
    files: { "a.ts": `one();\ntwo();\n${lines}  last();\n${lines}end();\n` },
  });
  const rest = `${lines}last();\n${lines}END();\n`;
  await turn("Change", { "a.ts": `if (ok) {\n  one();\n  two();\n}\n${rest}` });
  await page.getByRole("region", { name: /^Written/ }).waitFor();
  await page.keyboard.press("W");
  const isAt = (name: string) => page.locator(".scroll-current .hunk-current").getByText(name).waitFor();
  await isAt("Change 1 of 3");
  await page.keyboard.press("h");
  await page.getByRole("note").getByText("white space alone").waitFor();
  await page.keyboard.press("n");
  await isAt("Change 1 of 1");
  expect(readFileSync(join(folder, "a.ts"), "utf8")).toBe(`one();\ntwo();\n${rest}`);
});

test.each([
  ["blanks at the end of a line in which a word changes", "a long line\n", "a long word  \n", "··"],
  ["the indent of a line that is rewritten with spaces", "\tgo build\n", "    npm test --all\n", "····"],
  ["the indent of a line that is rewritten with a tab", "    go build\n", "\tnpm test --all\n", "→"],
])("%s: is seen", async (_, before, after, signs) => {
  const { page, propose } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", after);
  await page.getByText("1 change", { exact: true }).waitFor();
  const blanks = page.locator(".cm-merge-b").locator(".cm-changedSpace, .cm-changedTab");
  const shown = () =>
    blanks.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one, "::before").content.slice(1, -1)).join(""),
    );
  await expect.poll(shown).toBe(signs);
});
