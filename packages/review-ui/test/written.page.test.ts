import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp, current } = useFixtures();

const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n`);
const before = lines.join("");
const after = lines.with(2, "A\n").with(30, "B\n").with(55, "C\n").join("");

const list = (page: Page) => page.getByRole("region", { name: /^Written/ });
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const read = (name: string) => readFileSync(join(current().folder, name), "utf8");
/** Waits for a message in the corner. */
const said = (page: Page, text: string) =>
  page.getByRole("region", { name: "Notices" }).getByText(text).waitFor();
/** Waits until the keys act in the change of this name. */
const isAt = (page: Page, name: string) =>
  page.locator(".panel:not([hidden]) .scroll-current .hunk-current").getByText(name).waitFor();

test("a turn appears without taking the focus, and is said once", async () => {
  const { page, turn } = await setUp({ files: { "a.txt": before, "b.txt": before } });
  await turn("Earlier", { "earlier.txt": "new\n" });
  await list(page).getByText("earlier.txt").waitFor();
  await page.getByRole("combobox", { name: "Find a file" }).focus();
  await page.keyboard.type("no such");
  await turn("Count the lines", { "a.txt": after, "new.txt": "new\n", "b.txt": null });
  await said(page, "Gemini CLI changed 3 files: +4 −63");
  await page.keyboard.type(" file");
  expect(await page.getByRole("combobox", { name: "Find a file" }).inputValue()).toBe("no such file");
  expect(await list(page).getByRole("listitem").allInnerTexts()).toEqual([
    expect.stringMatching(/^M\s*a\.txt\s*\+3 −3$/),
    expect.stringMatching(/^A\s*new\.txt\s*\+1 −0$/),
    expect.stringMatching(/^D\s*b\.txt\s*\+0 −60$/),
    expect.stringMatching(/^A\s*earlier\.txt\s*\+1 −0$/),
  ]);
  expect(await page.title()).toMatch(/^\(4\) /);
  const news = page.locator(".toast").filter({ hasText: "Gemini CLI changed 3 files" });
  expect(await news.count()).toBe(1);
  await news.getByRole("button", { name: "Look at it" }).click();
  await part(page, "a.txt").getByText("Change 1 of 3").waitFor();
  await page.reload();
  await part(page, "a.txt").getByText("Change 1 of 3").waitFor();
  expect(await page.getByRole("region", { name: "Notices" }).count()).toBe(0);
});

test("a long list of written files is filtered by file and agent, and its turn opens as a whole", async () => {
  const { page, turn } = await setUp({ files: {} });
  const names = ["a", "b", "c", "d", "e", "f"].map((name) => `${name}.txt`);
  await turn("Change", Object.fromEntries(names.map((name) => [name, "new\n"])));
  const filter = list(page).getByRole("textbox", { name: "Filter the written files" });
  await filter.fill("E.TXT");
  expect(await list(page).getByRole("listitem").allInnerTexts()).toEqual([expect.stringContaining("e.txt")]);
  await list(page).getByRole("button", { name: "e.txt" }).click();
  await part(page, "a.txt").waitFor();
  await filter.fill("nothing");
  await list(page).getByText("Nothing fits.").waitFor();
  await filter.press("Escape");
  await expect.poll(() => list(page).getByRole("listitem").count()).toBe(6);
});

test("a file that was renamed has an R, and says what it was called", async () => {
  const { page, turn } = await setUp({ files: { "a.txt": before } });
  await turn("Rename it", { "b.txt": before, "a.txt": null, "c.txt": "" });
  await expect
    .poll(() => list(page).getByRole("listitem").allInnerTexts())
    .toEqual([
      expect.stringMatching(/^R\s*b\.txt/),
      expect.stringMatching(/^D\s*a\.txt/),
      expect.stringMatching(/^A\s*c\.txt/),
    ]);
  await page.keyboard.press("W");
  await part(page, "b.txt").getByText("renamed from a.txt").waitFor();
});

test("a file that was renamed and changed shows what has changed in it, and is decided as a whole", async () => {
  const { page, turn } = await setUp({ files: { "a.txt": before } });
  await turn("Rename it", { "b.txt": after, "a.txt": null });
  await list(page).getByText("b.txt").waitFor();
  await page.keyboard.press("W");
  const renamed = part(page, "b.txt");
  await renamed.getByText("renamed from a.txt").waitFor();
  await expect
    .poll(() => renamed.locator(".cm-merge-b .cm-changedLine").allInnerTexts())
    .toEqual(["A", "B", "C"]);
  expect(await renamed.locator(".hunk-bar").count()).toBe(0);
  await page.keyboard.press("j");
  await page.keyboard.press("n");
  expect(read("b.txt")).toBe(after);
  await page.getByRole("button", { name: "Revert the turn …" }).click();
  // The question takes all keys: the tab behind it stays.
  await page.keyboard.press("x");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Revert/ })
    .click();
  await said(page, "Reverted: 2 files");
  expect([read("a.txt"), existsSync(join(current().folder, "b.txt"))]).toEqual([before, false]);
});

test("keys alone keep and revert change after change, across files, and undo the last one", async () => {
  const { page, turn } = await setUp({ files: { "a.txt": before, "b.txt": before } });
  await turn("Change", { "a.txt": after, "b.txt": after });
  await list(page).waitFor();
  await page.keyboard.press("W");
  await isAt(page, "Change 1 of 3");
  await page.keyboard.press("j");
  // Another layout has another editor, and only the unified one has such a block.
  await page.keyboard.press("u");
  await page.locator(".scroll-current .diff-unified .cm-deletedChunk").first().waitFor();
  await page.keyboard.press("n");
  await said(page, "Reverted: change 2 of a.txt");
  expect(read("a.txt")).toBe(lines.with(2, "A\n").with(55, "C\n").join(""));
  await isAt(page, "Change 2 of 2");
  await page.keyboard.press("y");
  await said(page, "Kept: change 2 of a.txt");
  await isAt(page, "Change 1 of 1");
  await page.keyboard.press("y");
  // The file is gone from the list: the next one is in its place.
  await part(page, "a.txt").waitFor({ state: "detached" });
  await isAt(page, "Change 1 of 3");
  await page.keyboard.press("k");
  await isAt(page, "Change 3 of 3");
  await page.keyboard.press("Control+Shift+Backspace");
  await page.getByText("Nothing of this turn waits any more.").waitFor();
  expect(read("b.txt")).toBe(before);
  await page.keyboard.press("z");
  await part(page, "b.txt").getByText("Change 1 of 3").waitFor();
  expect(read("b.txt")).toBe(after);
  expect(read("a.txt")).toBe(lines.with(2, "A\n").with(55, "C\n").join(""));
});

test("after an undo the keys act in the change that has come back", async () => {
  const { page, turn } = await setUp({ files: { "a.txt": before } });
  await turn("Change", { "a.txt": after });
  await list(page).waitFor();
  await page.keyboard.press("W");
  await isAt(page, "Change 1 of 3");
  await page.keyboard.press("j");
  await page.keyboard.press("n");
  await isAt(page, "Change 2 of 2");
  await page.keyboard.press("z");
  await isAt(page, "Change 2 of 3");
  await page.keyboard.press("y");
  await said(page, "Kept: change 2 of a.txt");
});

test("changes with an empty line between them are kept as the one that they are shown as", async () => {
  const { page, turn } = await setUp({ files: { "a.txt": "one\n\ntwo\nend\n" } });
  await turn("Change", { "a.txt": "ONE\n\nTWO\nend\nmore\n" });
  await list(page).getByRole("button").click();
  await isAt(page, "Change 1 of 2");
  await page.keyboard.press("n");
  await said(page, "Reverted: change 1 of a.txt");
  expect(read("a.txt")).toBe("one\n\ntwo\nend\nmore\n");
});

test("a turn is reverted after its files are shown, and comes back by a button", async () => {
  const { page, turn } = await setUp({ files: { "a.txt": before } });
  await turn("Change", { "a.txt": after, "new.txt": "new\n" });
  await list(page).getByRole("button").first().click();
  await page.getByRole("button", { name: "Revert the turn …" }).click();
  const question = page.getByRole("dialog", { name: "Revert 2 files" });
  expect(await question.getByRole("listitem").count()).toBe(2);
  await question.getByRole("button", { name: "Revert 2 files" }).click();
  await page.getByText("Nothing of this turn waits any more.").waitFor();
  expect([read("a.txt"), existsSync(join(current().folder, "new.txt"))]).toEqual([before, false]);
  await page.locator(".toast").getByRole("button", { name: "Undo", exact: true }).click();
  await part(page, "new.txt").waitFor();
  expect([read("a.txt"), read("new.txt")]).toEqual([after, "new\n"]);
  await page.getByRole("button", { name: "Keep all" }).click();
  await list(page).waitFor({ state: "detached" });
  expect(read("a.txt")).toBe(after);
});

test("what another page has decided meanwhile is not decided here, and is shown", async () => {
  const { page, turn, secondPage } = await setUp({ files: { "a.txt": before } });
  await turn("Change", { "a.txt": after });
  await list(page).getByRole("button").click();
  await part(page, "a.txt").getByText("Change 1 of 3").waitFor();
  const second = await secondPage();
  await list(second).getByRole("button").click();
  await part(second, "a.txt").getByRole("button", { name: "Keep change 1" }).click();
  await part(page, "a.txt").getByText("Change 1 of 2").waitFor();
  expect(read("a.txt")).toBe(after);
});

test("an open file shows where an agent has written it, and keeps its selection", async () => {
  const { page, turn, write, context } = await setUp({ files: { "a.txt": before } });
  const file = page.getByRole("textbox", { name: "a.txt, read only" });
  await page.getByRole("treeitem", { name: "a.txt" }).click();
  await file.waitFor();
  await file.focus();
  await page.keyboard.press("Control+Home");
  for (let line = 0; line < 10; line += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+End");
  await turn("Change", { "a.txt": `first\n${after}` });
  const marks = page.locator(".cm-lineNumbers .cm-written");
  const marked = async (...lines: readonly string[]) => {
    await marks.getByText(lines[0] ?? "", { exact: true }).waitFor();
    expect(await marks.allInnerTexts()).toEqual(lines);
  };
  await marked("1", "4", "32", "57");
  await context(({ files }) => {
    const [one] = files;
    return one?.selectedText === "line 10" && one.cursor?.line === 12;
  });
  expect(await file.evaluate((element) => element === document.activeElement)).toBe(true);
  await write("a.txt", `mine\nfirst\n${after}`);
  await marked("2", "5", "33", "58");
  await page.getByRole("button", { name: "Show what Gemini CLI has written" }).click();
  await part(page, "a.txt").getByRole("button", { name: "Keep", exact: true }).click();
  await list(page).waitFor({ state: "detached" });
  await page.getByRole("tab", { name: "a.txt" }).click();
  await marks.first().waitFor({ state: "detached" });
});

test("a file of which only the fact is known can be kept", async () => {
  const { page, turn } = await setUp({ files: { "data.bin": Buffer.from([0, 1, 2]) } });
  await turn("Change", { "data.bin": "\0\u0001", "big.txt": "long line\n".repeat(500_000) });
  await list(page).getByRole("button", { name: "big.txt" }).click();
  await part(page, "big.txt").getByText("it has more than 4 MB").waitFor();
  await part(page, "data.bin").getByText("This is a binary file").waitFor();
  for (const name of ["big.txt", "data.bin"])
    await part(page, name).getByRole("button", { name: "Keep", exact: true }).click();
  await page.getByText("Nothing of this turn waits any more.").waitFor();
});

test("when agents are reviewed is set by mouse and by keys, and shows what somebody else has set", async () => {
  const { page, modes, folder } = await setUp();
  const control = page.getByRole("group", { name: "Review what agents write" });
  const panel = page.getByRole("complementary", { name: "Companion" });
  const pressed = () =>
    control
      .getByRole("button")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-pressed")).join());
  await expect.poll(pressed).toBe("false,true,false");
  await control.getByRole("button", { name: "Before" }).click();
  await panel.getByText("Each agent asks you in your editor before it writes.").waitFor();
  await panel.focus();
  for (const key of ["Tab", "Tab", "Tab", "Enter"]) await page.keyboard.press(key);
  await panel.getByText("Each agent writes, and nothing is recorded.").waitFor();
  expect(modes.in(folder).find("gemini").mode).toBe("off");
  modes.set(folder, "after", ["codex", "qwen"]);
  await panel.getByText("After: Qwen Code, Codex CLI").waitFor();
  expect(await pressed()).toBe("false,mixed,mixed");
});

test("the next change gets the cursor also where the list comes once more with its texts", async () => {
  const { page, turn } = await setUp({ files: { "a.txt": before } });
  let again = () => {};
  await page.routeWebSocket(/\/socket/, (link) => {
    const server = link.connectToServer();
    server.onMessage((message) => {
      link.send(message);
      if (/^\{"type":"list","list":"written"/.test(String(message))) again = () => link.send(message);
    });
  });
  await page.reload();
  await turn("Change", { "a.txt": after });
  await list(page).getByRole("button").click();
  await isAt(page, "Change 1 of 3");
  await page.route(/\/api\/written\//, async (route) => {
    await route.fulfill({ response: await route.fetch() });
    for (let time = 0; time < 60; time += 1) {
      again();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  });
  for (const name of ["Change 1 of 2", "Change 1 of 1"]) {
    await page.keyboard.press("y");
    await isAt(page, name);
  }
});
