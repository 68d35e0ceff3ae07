import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp, current } = useFixtures();

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const textOf = (page: Page) => page.getByRole("textbox", { name: "a.txt as proposed" });
const decided = () => expect.poll(() => current().decisions.length).toBe(1);

/** A change whose agent cannot take edits. */
async function propose(width = 1440) {
  const files = { "a.txt": "one\ntwo\nthree\n" };
  const fixture = await setUp({ files, browser: { viewport: { width, height: 900 } } });
  const proposal = await fixture.propose("a.txt", "one\n2\nthree\n", "Toy", {
    code: "takes-no-edits",
    values: ["Toy"],
  });
  await fixture.page.getByText("Toy takes no edits: it writes its own text.").waitFor();
  return { ...fixture, proposal };
}

test("a change whose agent cannot take edits is read-only, says why, and is accepted as proposed", async () => {
  const { page, decisions } = await propose();
  await page.getByText("reject the change and tell Toy in its terminal what to change.").waitFor();
  await textOf(page).getByText("2", { exact: true }).click();
  await page.keyboard.type("typed");
  expect(await button(page, "Revert").count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("r");
  expect(await textOf(page).textContent()).not.toContain("typed");
  await button(page, "Accept").click();
  await decided();
  expect(decisions).toEqual([{ kind: "accepted", content: "one\n2\nthree\n" }]);
});

/** Types at the end of the changed line of the user's own version. */
async function editOwn(page: Page) {
  await button(page, "Edit my own version").click();
  const text = page.getByRole("textbox", { name: "a.txt as proposed, editable" });
  await text.getByText("2", { exact: true }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" mine");
  await page.getByText("Accept lets Toy write its own text.").waitFor();
}

test("the user's own version is edited on request, then compared with what the agent wrote, and restored on a click", async () => {
  const { page, decisions, proposal, folder, write, recover } = await propose(640);
  await editOwn(page);
  await button(page, "Accept").click();
  await decided();
  const content = "one\n2 mine\nthree\n";
  expect(decisions).toEqual([{ kind: "accepted", content, ownVersion: true }]);
  await write("a.txt", proposal.newContent);
  recover(proposal, content, "own-version");
  await button(page, "Compare").click();
  await page
    .getByText("Toy wrote its own text. Look at yours, and apply it if you want it.")
    .first()
    .waitFor();
  expect(await readFile(join(folder, "a.txt"), "utf8")).toBe(proposal.newContent);
  await button(page, "Restore into the file").click();
  await expect.poll(() => readFile(join(folder, "a.txt"), "utf8")).toBe(content);
});

test("what was typed right before a rejection reaches the companion, for a recovery", async () => {
  const { page, decisions, drafts } = await propose();
  await editOwn(page);
  await page.keyboard.type("!");
  await button(page, "Reject").click();
  await decided();
  expect(decisions).toEqual([{ kind: "rejected" }]);
  expect(drafts.at(-1)).toBe("one\n2 mine!\nthree\n");
});

test("another page shows the own version, and accepts it as one", async () => {
  const { page, decisions, secondPage } = await propose();
  await editOwn(page);
  const second = await secondPage();
  await second.getByText("2 mine").waitFor();
  await button(second, "Accept").click();
  await decided();
  expect(decisions).toEqual([{ kind: "accepted", content: "one\n2 mine\nthree\n", ownVersion: true }]);
});
