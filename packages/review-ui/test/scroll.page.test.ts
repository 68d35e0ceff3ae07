import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Proposal } from "../../companion/src/core/editor.ts";
import { useFixtures } from "./fixtures.ts";
import { decidable, editorOf, type Fixture, typeInFirstLine } from "./page-harness.ts";

const { setUp } = useFixtures();

const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n`);
const before = lines.join("");
const after = lines.with(2, "A\n").with(50, "B\n").join("");

const list = (page: Page) => page.getByRole("region", { name: "Waiting" });
const part = (page: Page, name: string) => page.locator(".scroll-file").and(page.getByLabel(name));
const isAt = (page: Page, file: string, change: string) =>
  page.locator(`.scroll-current[aria-label="${file}"] .hunk-current`).getByText(change).waitFor();

/** Three changes of two agents, in one scroll. */
async function openScroll(): Promise<Fixture & { readonly first: Proposal }> {
  const fixture = await setUp({ files: { "a.txt": before, "b.txt": before, "c.txt": before } });
  const { page, propose } = fixture;
  const first = await propose("a.txt", after);
  await propose("b.txt", after, "Gemini CLI");
  await propose("c.txt", after);
  await list(page).getByRole("button", { name: "c.txt" }).waitFor();
  await decidable(page);
  await page.keyboard.press("a");
  await isAt(page, "a.txt", "Change 1 of 2");
  return { ...fixture, first };
}

test("all that wait are read and decided in one scroll by keys, as they stand", async () => {
  const { page, decisions } = await openScroll();
  await page.keyboard.press("j");
  await isAt(page, "a.txt", "Change 2 of 2");
  await page.keyboard.press("j");
  await isAt(page, "c.txt", "Change 1 of 2");
  await page.keyboard.press("i");
  await typeInFirstLine(page, "c.txt", " mine");
  await page.keyboard.press("Escape");
  await page.keyboard.press("[");
  await part(page, "c.txt").getByText("line 0 mine").waitFor();
  await page.keyboard.press("Control+Enter");
  await isAt(page, "b.txt", "Change 1 of 2");
  await page.keyboard.press("k");
  await isAt(page, "a.txt", "Change 2 of 2");
  await page.keyboard.press("Control+Shift+Backspace");
  await part(page, "a.txt").waitFor({ state: "detached" });
  // The page takes it away before the companion has heard.
  await expect
    .poll(() => decisions)
    .toEqual([{ kind: "accepted", content: after.replace("line 0", "line 0 mine") }, { kind: "rejected" }]);
  await part(page, "b.txt").getByRole("button", { name: "Accept", exact: true }).click();
  await page.getByText("Ready to review").or(page.getByText("Waiting for an agent")).first().waitFor();
});

test("what an agent proposes next opens as its user has read before, in one scroll or one by one", async () => {
  const { page, propose, write } = await openScroll();
  await page.getByRole("button", { name: "Reject all …" }).last().click();
  await page.getByRole("dialog").getByRole("button", { name: "Reject 3 changes" }).click();
  await list(page).waitFor({ state: "detached" });
  await page.reload();
  await propose("b.txt", after);
  await isAt(page, "b.txt", "Change 1 of 2");
  await propose("c.txt", after);
  await list(page).getByRole("button", { name: "c.txt" }).click();
  await isAt(page, "c.txt", "Change 1 of 2");
  await write("b.txt", `first\n${before}`);
  await page.getByRole("button", { name: "One by one" }).click();
  await editorOf(page, "c.txt").waitFor();
  await page.keyboard.press("p");
  await editorOf(page, "b.txt").waitFor();
});

test("the changes of one agent's turn open in a scroll without the others", async () => {
  const { page } = await openScroll();
  await page.getByTitle("All that Qwen Code proposes in one scroll").click();
  await page.getByRole("tab", { name: "Qwen Code", selected: true }).waitFor();
  const panel = page.locator(".panel:not([hidden])");
  expect(await panel.locator(".scroll-file").evaluateAll((all) => all.map((one) => one.ariaLabel))).toEqual([
    "a.txt",
    "c.txt",
  ]);
});

test("a change that goes elsewhere while its user decides does not give the key to the next one", async () => {
  const { page, decisions, first, closeFromTerminal } = await openScroll();
  await page.keyboard.press("y");
  await isAt(page, "a.txt", "Change 2 of 2");
  await part(page, "a.txt").getByRole("button", { name: "Mark change 1 as viewed", pressed: true }).waitFor();
  await closeFromTerminal(first);
  await part(page, "a.txt").waitFor({ state: "detached" });
  await page.keyboard.press("Control+Enter");
  // Its agent is the first one now.
  await isAt(page, "b.txt", "Change 1 of 2");
  expect(decisions).toEqual([]);
});

test("a search finds in all files, also in those that are far away, and goes on across them", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `file${index + 10}.txt`);
  const all = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
  const { page, turn } = await setUp({
    files: { ...all(before), "file35.txt": `needle on disk\n${before}` },
  });
  await turn("Change", {
    ...all(after),
    "file10.txt": after.replace("line 20", "a Needle"),
    "file35.txt": after,
  });
  await page.getByRole("region", { name: /^Written/ }).waitFor();
  await page.keyboard.press("W");
  await isAt(page, "file10.txt", "Change 1");
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find", exact: true }).waitFor();
  await page.keyboard.type("needle");
  const count = page.locator(".find-count");
  await expect.poll(() => count.textContent()).toBe("1 of 2");
  const current = (name: string) => part(page, name).locator(".cm-searchMatch-selected");
  await current("file10.txt").getByText("Needle").waitFor();
  expect(await part(page, "file35.txt").locator(".cm-editor").count()).toBe(0);
  await page.keyboard.press("Enter");
  await expect.poll(() => count.textContent()).toBe("2 of 2");
  await current("file35.txt").getByText("needle").waitFor();
  await expect
    .poll(() =>
      current("file35.txt").evaluate((mark) => {
        const { top, bottom } = mark.getBoundingClientRect();
        return top > 0 && bottom < innerHeight;
      }),
    )
    .toBe(true);
  await page.keyboard.press("Shift+Enter");
  await current("file10.txt").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".cm-searchMatch").first().waitFor({ state: "detached" });
});

test("a single change of one that waits is reverted in the scroll by mouse and by key, and that is undone", async () => {
  const { page, drafts, decisions } = await openScroll();
  const last = lines.with(50, "B\n").join("");
  await part(page, "a.txt")
    .getByRole("button", { name: /^Revert change 1/ })
    .click();
  await isAt(page, "a.txt", "Change 1 of 1");
  await part(page, "a.txt").getByText("edited by you").waitFor();
  await expect.poll(() => drafts.at(-1)).toBe(last);
  await page.keyboard.press("n");
  await expect.poll(() => drafts.at(-1)).toBe(before);
  await page.keyboard.press("z");
  await isAt(page, "a.txt", "Change 1 of 1");
  await part(page, "a.txt").getByRole("button", { name: "Accept", exact: true }).click();
  await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: last }]);
});

test("a picture that is proposed is shown as one in the scroll", async () => {
  const svg = (fill: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg"><path fill="${fill}" d="M0 0h9v9z"/></svg>\n`;
  const { page, propose } = await setUp({ files: { "a.svg": svg("red") } });
  await propose("a.svg", svg("blue"));
  await decidable(page);
  await page.keyboard.press("a");
  await part(page, "a.svg").getByRole("button", { name: "Show as a picture" }).click();
  for (const name of ["On disk", "Proposed"])
    await part(page, "a.svg").getByTitle(name, { exact: true }).waitFor();
});

test("a waiting change whose hunks are all viewed is folded, in the scroll after a reload as well", async () => {
  const { page } = await openScroll();
  const changes = (name: string) => part(page, name).locator(".hunk-bar");
  const viewed = (name: string) =>
    list(page).getByRole("button", { name }).getByRole("img", { name: "Viewed" });
  for (const change of ["Change 1 of 2", "Change 2 of 2"]) {
    await isAt(page, "a.txt", change);
    await page.keyboard.press("y");
  }
  await isAt(page, "c.txt", "Change 1 of 2");
  await changes("a.txt").first().waitFor({ state: "detached" });
  await page.keyboard.press("V");
  await changes("c.txt").first().waitFor({ state: "detached" });
  await viewed("c.txt").waitFor();
  await isAt(page, "b.txt", "Change 1 of 2");
  await page.reload();
  await changes("b.txt").first().waitFor();
  for (const name of ["a.txt", "c.txt"]) {
    await viewed(name).waitFor();
    expect(await changes(name).count()).toBe(0);
  }
  await part(page, "c.txt").getByRole("button", { name: "Viewed", pressed: true }).click();
  await changes("c.txt").first().waitFor();
  await viewed("c.txt").waitFor({ state: "detached" });
});

test("a written file that is viewed is that in every page, and after a reload", async () => {
  const { page, turn, secondPage } = await setUp({ files: { "a.txt": before, "b.txt": before } });
  await turn("Change", { "a.txt": after, "b.txt": after });
  const written = (one: Page) => one.getByRole("region", { name: /^Written/ });
  const isViewed = (one: Page, name: string) =>
    written(one).getByRole("button", { name }).getByRole("img", { name: "Viewed" });
  await written(page).waitFor();
  const second = await secondPage();
  await page.keyboard.press("W");
  await isAt(page, "a.txt", "Change 1 of 2");
  await page.keyboard.press("V");
  for (const one of [page, second]) await isViewed(one, "a.txt").waitFor();
  await page.reload();
  for (const name of ["a.txt", "b.txt"])
    await part(page, name)
      .getByRole("button", { name: "Viewed", pressed: name === "a.txt" })
      .waitFor();
  await written(second).getByRole("button", { name: "a.txt" }).click();
  await part(second, "a.txt").getByRole("button", { name: "Viewed" }).click();
  for (const one of [page, second]) await isViewed(one, "a.txt").waitFor({ state: "detached" });
});

test("a written file that is viewed is folded until it is another one, and a search finds in it", async () => {
  const { page, turn, secondPage } = await setUp({ files: { "a.txt": before, "b.txt": before } });
  await turn("Change", { "a.txt": after, "b.txt": after });
  await page.getByRole("region", { name: /^Written/ }).waitFor();
  await page.keyboard.press("W");
  await isAt(page, "a.txt", "Change 1 of 2");
  await page.keyboard.press("V");
  await isAt(page, "b.txt", "Change 1 of 2");
  const editor = part(page, "a.txt").locator(".cm-editor");
  await editor.first().waitFor({ state: "detached" });
  await page.keyboard.press("k");
  await page.locator('.scroll-current[aria-label="a.txt"]').waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("line 49");
  await part(page, "a.txt").locator(".cm-searchMatch-selected").waitFor();
  await page.keyboard.press("Escape");
  await editor.first().waitFor({ state: "detached" });
  const second = await secondPage();
  const written = second.getByRole("region", { name: /^Written/ });
  await written.getByRole("button", { name: "a.txt" }).click();
  await part(second, "a.txt").waitFor();
  // What is searched is not folded.
  await second.keyboard.press("Control+f");
  await second.keyboard.type("line 49");
  await part(second, "a.txt").getByRole("button", { name: "Keep change 1" }).click();
  await part(page, "a.txt").getByText("Change 1 of 1").waitFor();
});
