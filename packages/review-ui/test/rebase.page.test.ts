import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { DiffUpdate, Proposal } from "../../companion/src/core/editor.ts";
import { readFileNow } from "../../companion/src/files/file-text.ts";
import { rebaseTestChange } from "../../companion/src/testing/test-change.ts";
import { useFixtures } from "./fixtures.ts";
import { accept, editorOf } from "./page-harness.ts";

const { setUp, current } = useFixtures();

const original = "one\ntwo\nthree\nfour\nfive\n";
const proposed = "one\ntwo\nthree\nfour\nFIVE\n";

/** The file has changed on disk, as the companion shows it. */
const update = async (proposal: Proposal, onDisk: string, news: DiffUpdate, newContent = news.text) => {
  const { write, frontend, changeOf } = current();
  const path = await write("a.txt", onDisk);
  const { file } = readFileNow(path);
  const rebased = { ...proposal, base: file, newContent };
  return rebaseTestChange(frontend.editor, changeOf(proposal), { ...news, proposal: rebased });
};
const acceptButton = (page: Page) => page.getByRole("button", { name: "Accept", exact: true });

for (const layout of ["side-by-side", "unified"] as const) {
  test(`a change follows its file, and typing goes on at the same place, ${layout}`, async () => {
    const { page, propose, drafts, decisions } = await setUp({ files: { "a.txt": original } });
    const proposal = await propose("a.txt", proposed);
    await page.locator(".diff-side-by-side").waitFor();
    if (layout === "unified") await page.keyboard.press("u");
    await page.locator(`.diff-${layout}`).waitFor();
    await editorOf(page, "a.txt").getByText("FIVE", { exact: true }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" mine");
    const seen = proposed.replace("FIVE", "FIVE mine");
    await expect.poll(() => drafts.at(-1)).toBe(seen);
    const onDisk = original.replace("one\n", "zero\nONE\n");
    const text = seen.replace("one\n", "zero\nONE\n");
    const newContent = proposed.replace("one\n", "zero\nONE\n");
    expect(await update(proposal, onDisk, { seen, text, state: "merged" }, newContent)).toBe(text);
    await editorOf(page, "a.txt").getByText("zero").waitFor();
    await page.getByText("What is new there is part of the text below, and stays.").waitFor();
    await page.getByText("1 change", { exact: true }).first().waitFor();
    await page.keyboard.type("!");
    await expect.poll(() => drafts.at(-1)).toBe(text.replace("mine", "mine!"));
    await accept(page);
    await expect
      .poll(() => decisions)
      .toEqual([{ kind: "accepted", content: text.replace("mine", "mine!") }]);
  });
}

test("what is typed while the file changes is not lost, and the file's new lines are kept", async () => {
  const { page, propose, drafts } = await setUp({ files: { "a.txt": original } });
  let hold: (() => void)[] | undefined;
  await page.routeWebSocket(/\/socket/, (link) => {
    const server = link.connectToServer();
    link.onMessage((message) => server.send(message));
    // The news of the file arrive after keys that were pressed before.
    server.onMessage((message) => {
      if (hold && String(message).includes('"against"')) hold.push(() => link.send(message));
      else link.send(message);
    });
  });
  await page.reload();
  const proposal = await propose("a.txt", proposed);
  await editorOf(page, "a.txt").getByText("FIVE", { exact: true }).click();
  await page.keyboard.press("End");
  hold = [];
  const text = proposed.replace("one\n", "zero\nONE\n");
  await update(proposal, original.replace("one\n", "zero\nONE\n"), { seen: proposed, text, state: "merged" });
  await expect.poll(() => hold?.length).toBe(1);
  await page.keyboard.type(" mine");
  for (const release of hold.splice(0)) release();
  hold = undefined;
  await expect.poll(() => drafts.at(-1)).toBe(text.replace("FIVE", "FIVE mine"));
  expect(await page.getByText("Recovered edits").count()).toBe(0);
});

test("a text that the page has not handed in is not replaced", async () => {
  const { page, propose, drafts } = await setUp({ files: { "a.txt": original } });
  const proposal = await propose("a.txt", proposed);
  await editorOf(page, "a.txt").getByText("FIVE", { exact: true }).click();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  const answer = await update(proposal, original, { seen: proposed, text: "lost\n", state: "merged" });
  expect(answer).toBe(proposed.replace("FIVE", "FIVE!"));
  expect(drafts.at(-1)).toBe(answer);
});

test("a clash is accepted only once its user has chosen, and Accept all leaves it and names it", async () => {
  const { page, propose, decisions } = await setUp({ files: { "a.txt": original, "b.txt": "b\n" } });
  const proposal = await propose("a.txt", proposed);
  await propose("b.txt", "B\n");
  await editorOf(page, "a.txt").waitFor();
  const block = "<<<<<<< on disk\ncinq\n||||||| before\nfive\n=======\nFIVE\n>>>>>>> proposed\n";
  const text = original.replace("five\n", block);
  const news = { seen: proposed, text, state: "clash" } as const;
  await update(proposal, original.replace("five", "cinq"), news, proposed);
  await page.getByText("Both versions are below").waitFor();
  await editorOf(page, "a.txt").getByText("cinq").waitFor();
  await expect.poll(() => acceptButton(page).isDisabled()).toBe(true);
  await page.keyboard.press("A");
  await page.getByText("These wait for you, because their files have changed on disk: a.txt.").waitFor();
  await page.getByRole("button", { name: "Accept 1 change" }).click();
  await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: "B\n" }]);
  await editorOf(page, "a.txt").getByText("cinq").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("chosen");
  await expect.poll(() => acceptButton(page).isEnabled()).toBe(true);
  await accept(page);
  await expect.poll(() => decisions.at(-1)).toEqual({ kind: "accepted", content: "chosen" });
});

test("a change that its file holds already has one button, and one that is out of date cannot be accepted", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": original } });
  const proposal = await propose("a.txt", proposed);
  await editorOf(page, "a.txt").waitFor();
  await update(proposal, proposed, { seen: proposed, text: proposed, state: "same" });
  await page.getByText("The file already holds this.").waitFor();
  expect(await page.getByRole("button", { name: "Reject", exact: true }).count()).toBe(0);
  await expect.poll(() => acceptButton(page).isEnabled()).toBe(true);
  await update(proposal, "other\n", { seen: proposed, text: proposed, state: "stale" });
  await page.getByText("and Qwen Code would overwrite that.").waitFor();
  await expect.poll(() => acceptButton(page).isDisabled()).toBe(true);
});

test("the list marks a file with two changes", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": original, "b.txt": "b\n" } });
  await propose("a.txt", proposed);
  await propose("b.txt", "B\n");
  await propose("a.txt", original.replace("one", "1"), "Gemini CLI");
  await expect.poll(() => page.getByTitle("2 changes of this file wait").count()).toBe(2);
});
