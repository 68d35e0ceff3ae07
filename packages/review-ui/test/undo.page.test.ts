import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { accept, decidable, editorOf, type FixtureOptions, reject } from "./page-harness.ts";

const { setUp, current } = useFixtures();

const files = { "a.txt": "one\ntwo\n", "b.txt": "b\n" };
const read = (name: string) => readFileSync(join(current().folder, name), "utf8");
const notices = (page: Page) => page.getByRole("region", { name: "Notices" });
const notice = (page: Page, text: string) => notices(page).locator(".toast").filter({ hasText: text });
const history = (page: Page) => page.getByRole("region", { name: "History" });

async function withTwo(options: FixtureOptions = {}) {
  const fixture = await setUp({ files, ...options });
  const proposals = {
    a: await fixture.propose("a.txt", "one\nTWO\n"),
    b: await fixture.propose("b.txt", "B\n"),
  };
  /** The agent writes what was accepted, and the companion sees that. */
  const write = async (name: keyof typeof proposals) => {
    const proposal = proposals[name];
    await fixture.write(`${name}.txt`, proposal.newContent);
    fixture.frontend.onEvent({ kind: "file-checked", proposal, result: "written", wasEdited: false });
  };
  await decidable(fixture.page);
  return { ...fixture, writeAccepted: write };
}

test("an acceptance is undone by a key, in front of the next change, once its agent has written the file", async () => {
  const { page, writeAccepted } = await withTwo();
  await page.keyboard.press("Control+Enter");
  await editorOf(page, "b.txt").waitFor();
  await decidable(page);
  await page.keyboard.press("z");
  await history(page)
    .getByText(/accepted/)
    .waitFor();
  expect(await notice(page, "Accepted: a.txt").count()).toBe(0);
  await writeAccepted("a");
  await notice(page, "Accepted: a.txt").getByRole("button", { name: "Undo" }).waitFor();
  await page.keyboard.press("z");
  await notice(page, "The change of a.txt is undone.").waitFor();
  expect(read("a.txt")).toBe("one\ntwo\n");
  await history(page).getByText("accepted, written, undone").waitFor();
});

test("a rejection cannot be undone, and its text is put into the file by keys alone", async () => {
  const { page, decisions } = await withTwo();
  await reject(page);
  await notice(page, "Rejected: a.txt").waitFor();
  await page.keyboard.press("z");
  // From the diff, past the companion's panel.
  for (const key of ["F6", "F6", "Tab"]) await page.keyboard.press(key);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe("Put it into the file");
  expect(read("a.txt")).toBe("one\ntwo\n");
  await page.keyboard.press("Enter");
  await notice(page, "a.txt contains the change now.").waitFor();
  expect(read("a.txt")).toBe("one\nTWO\n");
  expect(decisions).toEqual([{ kind: "rejected" }]);
});

test("what cannot be undone any more leads to its entry, which says why", async () => {
  const { page, write, writeAccepted } = await withTwo();
  await accept(page);
  await writeAccepted("a");
  await notice(page, "Accepted: a.txt").waitFor();
  await write("a.txt", "one\nanother\n");
  await notice(page, "Accepted: a.txt").getByRole("button", { name: "Undo" }).click();
  const trouble = "The file has changed since in the same places: undo it by hand.";
  await notice(page, trouble).getByRole("button", { name: "Look at it" }).click();
  await page.getByRole("note").getByText(trouble).waitFor();
});

test("changes that are accepted together are undone together", async () => {
  const { page, writeAccepted } = await withTwo();
  await page.keyboard.press("A");
  await page.keyboard.press("Enter");
  await history(page)
    .getByText(/accepted/)
    .nth(1)
    .waitFor();
  await writeAccepted("a");
  await writeAccepted("b");
  await notice(page, "Accepted: 2 files").waitFor();
  expect(await notices(page).locator(".toast").count()).toBe(1);
  await page.keyboard.press("z");
  await notice(page, "The change of 2 files is undone.").waitFor();
  expect([read("a.txt"), read("b.txt")]).toEqual(["one\ntwo\n", "b\n"]);
});

test("changes that are rejected together are put into their files together", async () => {
  const { page } = await withTwo();
  await page.getByRole("button", { name: "Reject all …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reject 2 changes" }).click();
  await notice(page, "Rejected: 2 files").getByRole("button", { name: "Put them into the files" }).click();
  await notice(page, "2 files contain the changes now.").waitFor();
  expect([read("a.txt"), read("b.txt")]).toEqual(["one\nTWO\n", "B\n"]);
});

test("a message with a button stays for ten seconds, and as long as the pointer or the focus is in it", async () => {
  // A separate page: its clock is another one.
  const { page } = await withTwo({ browser: { colorScheme: "light" } });
  await page.clock.install();
  await reject(page);
  const button = notice(page, "Rejected: a.txt").getByRole("button", { name: "Put it into the file" });
  await button.hover();
  await page.clock.runFor(30_000);
  await button.focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(30_000);
  expect(await button.count()).toBe(1);
  await button.blur();
  await page.clock.runFor(9500);
  expect(await button.count()).toBe(1);
  await page.clock.runFor(1000);
  await button.waitFor({ state: "detached" });
});

test("the last Keep or Revert is undone from the history, also after a reload", async () => {
  const { page, turn } = await setUp({ files });
  await turn("Change", { "a.txt": "one\nTWO\n", "new.txt": "new\n" });
  await page.getByRole("region", { name: /^Written/ }).waitFor();
  await page.keyboard.press("W");
  await page.getByRole("region", { name: "new.txt", exact: true }).waitFor();
  await page.getByRole("button", { name: "Revert the turn …" }).click();
  await page.getByRole("button", { name: "Revert 2 files" }).click();
  await history(page).getByText("Kept or reverted: 2 files").waitFor();
  expect([read("a.txt"), existsSync(join(current().folder, "new.txt"))]).toEqual(["one\ntwo\n", false]);
  await page.reload();
  await history(page).getByRole("button", { name: "Undo" }).click();
  await history(page).getByRole("button", { name: "Undo" }).waitFor({ state: "detached" });
  expect([read("a.txt"), read("new.txt")]).toEqual(["one\nTWO\n", "new\n"]);
});
