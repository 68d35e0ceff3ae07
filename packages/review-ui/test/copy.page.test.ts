import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { decidable, typeInFirstLine } from "./page-harness.ts";

const { setUp, current } = useFixtures();

const before = "\ufeffone\r\ntwo\r\nthree";
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const read = (name: string) => readFileSync(join(current().folder, name), "utf8");
const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: current().folder });

test("the path, the line and the patch of a proposal are copied by keys alone, and git applies the patch", async () => {
  const { page, propose, write } = await setUp({ files: { "src/ä.txt": before } });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await propose("src/ä.txt", "one\nTWO\nthree");
  await decidable(page);
  await typeInFirstLine(page, "ä.txt", ", mine");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Copy of src/ä.txt …" }).focus();
  const choose = async (...keys: readonly string[]) => {
    for (const key of ["Enter", ...keys, "Enter"]) await page.keyboard.press(key);
    await page.getByRole("menu").waitFor({ state: "hidden" });
    // The focus is back on the button of the menu.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-haspopup")))
      .toBe("menu");
  };
  await choose();
  await expect.poll(() => clipboard(page)).toBe("src/ä.txt");
  await choose("ArrowDown");
  await expect.poll(() => clipboard(page)).toBe("src/ä.txt:2");
  await choose("ArrowUp");
  await expect.poll(() => clipboard(page)).toContain("\n+TWO");
  await write("change.patch", await clipboard(page));
  git("apply", "change.patch");
  expect(read("src/ä.txt")).toBe("\ufeffone, mine\r\nTWO\r\nthree");
});

test("the patch of a written file is taken out again by git, and Escape closes the menu alone", async () => {
  const { page, turn, write } = await setUp({ files: { "a.txt": "one\ntwo\n" } });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await turn("Change", { "a.txt": "one\nTWO\n", "new.txt": "new\n", "data.bin": "\0" });
  await page.getByRole("region", { name: /^Written/ }).waitFor();
  await page.keyboard.press("W");
  const copy = (name: string) => page.getByRole("button", { name: `Copy of ${name} …` });
  for (const name of ["a.txt", "new.txt"]) {
    await copy(name).click();
    await page.getByRole("menuitem", { name: "Copy the patch" }).click();
    await expect.poll(() => clipboard(page)).toContain(`+++ b/${name}\n`);
    await write("change.patch", await clipboard(page));
    git("apply", "-R", "change.patch");
  }
  expect([read("a.txt"), existsSync(join(current().folder, "new.txt"))]).toEqual(["one\ntwo\n", false]);
  await copy("data.bin").click();
  await page.getByRole("menuitem", { name: "Copy the patch" }).click();
  await page.getByRole("region", { name: "Notices" }).getByText("data.bin is no text").waitFor();
  await copy("data.bin").click();
  await page.getByRole("menu").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "hidden" });
  expect(await copy("data.bin").evaluate((element) => element === document.activeElement)).toBe(true);
});
