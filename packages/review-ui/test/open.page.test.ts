import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { decidable } from "./page-harness.ts";

const { setUp, current } = useFixtures();

// It notes what it is called with, in the folder of the page.
const noting =
  'const [, name, ...words] = process.argv; require("fs").writeFileSync(name + ".opened", JSON.stringify(words))';
const editorCommand = [process.execPath, "-e", noting, "{file}", "--goto", "{file}:{line}", "$HOME;`id`"];
const opened = async (name: string) => {
  const note = join(current().folder, `${name}.opened`);
  await expect.poll(() => existsSync(note) && readFileSync(note, "utf8")).toBeTruthy();
  return JSON.parse(readFileSync(note, "utf8"));
};
const called = (name: string, line: number) => [
  "--goto",
  `${join(current().folder, name)}:${line}`,
  "$HOME;`id`",
];

test("a key opens a proposal in the user's editor, at the line of the file in whose place the cursor is", async () => {
  const { page, propose } = await setUp({
    editorCommand,
    files: { "{line} $(a).txt": "one\ntwo\nthree\nfour\n" },
  });
  await propose("{line} $(a).txt", "new\nnewer\none\ntwo\nthree\nFOUR\n");
  await decidable(page);
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  await page.getByRole("region", { name: "Notices" }).getByText("Opened in node: {line} $(a).txt").waitFor();
  expect(await opened("{line} $(a).txt")).toEqual(called("{line} $(a).txt", 4));
});

test("menus open a file, and what an agent has written, in the user's editor; a deleted file has none", async () => {
  const { page, turn } = await setUp({
    editorCommand,
    files: { "a.txt": "one\n", "b.txt": "b", "c.txt": "c" },
  });
  const menu = (name: RegExp) => page.getByRole("button", { name }).click();
  const open = page.getByRole("menuitem", { name: "Open in node at this line" });
  await page.getByRole("treeitem", { name: "b.txt" }).click();
  await menu(/^Copy or open b.txt/);
  await open.click();
  expect(await opened("b.txt")).toEqual(called("b.txt", 1));
  await turn("Change", { "a.txt": "one\ntwo\n", "c.txt": null });
  await page.getByRole("region", { name: /^Written/ }).waitFor();
  await page.keyboard.press("W");
  await menu(/^Copy or open a.txt/);
  await open.click();
  expect(await opened("a.txt")).toEqual(called("a.txt", 2));
  await menu(/^Copy of c.txt/);
  await page.getByRole("menuitem", { name: "Copy the path", exact: true }).waitFor();
  expect(await open.count()).toBe(0);
});

test.each([
  {
    why: "cannot be started",
    editorCommand: ["no-such-editor", "{file}"],
    said: "no-such-editor has not opened",
  },
  { why: "fails", editorCommand: [process.execPath, "-e", "process.exit(3)"], said: "it ended with 3" },
])("an editor that $why is named", async ({ editorCommand, said }) => {
  const { page } = await setUp({ editorCommand, files: { "a.txt": "a" } });
  await page.getByRole("treeitem", { name: "a.txt" }).click();
  await page.keyboard.press("o");
  await page.getByRole("region", { name: "Notices" }).getByText(said).waitFor();
});

test("without an editor no menu offers to open a file, and the key says where to name one", async () => {
  const { page } = await setUp({ files: { "a.txt": "a" } });
  await page.getByRole("treeitem", { name: "a.txt" }).click();
  await page.keyboard.press("o");
  await page.getByRole("region", { name: "Notices" }).getByText("editorCommand in config.json").waitFor();
  await page.getByRole("button", { name: "Copy of a.txt …" }).click();
  await page.getByRole("menuitem", { name: "Copy the path", exact: true }).waitFor();
  expect(await page.getByRole("menuitem", { name: /^Open/ }).count()).toBe(0);
});
