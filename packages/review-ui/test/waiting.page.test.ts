import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { decidable, editorOf, type Fixture, typeInFirstLine } from "./page-harness.ts";

const { setUp } = useFixtures();

const files = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d.sql": "d\n" };
const list = (page: Page) => page.getByRole("region", { name: "Waiting" });
const shown = (page: Page) => page.getByRole("tab", { selected: true });
const dialog = (page: Page) => page.getByRole("dialog");

/** Proposals of two agents, in turn. */
async function withThree(options: Parameters<typeof setUp>[0] = {}): Promise<Fixture> {
  const fixture = await setUp({ files, ...options });
  await fixture.propose("a.txt", "A\n");
  await fixture.propose("b.txt", "B\n", "Gemini CLI");
  await fixture.propose("c.txt", "C\n");
  await list(fixture.page).getByRole("button", { name: "c.txt" }).waitFor();
  return fixture;
}

test("waiting changes are listed by agent, with what has been decided of each turn", async () => {
  const { page, propose } = await withThree();
  await editorOf(page, "a.txt").waitFor();
  const order = await list(page).getByRole("listitem").allInnerTexts();
  expect(order.map((text) => text.slice(0, 1))).toEqual(["a", "c", "b"]);
  await page.getByRole("button", { name: "Accept", exact: true }).click();
  const qwen = list(page).getByRole("region", { name: "Qwen Code" });
  await qwen.getByRole("progressbar", { name: "1 of 2 decided" }).waitFor();
  await propose("d.sql", "D\n");
  await qwen.getByRole("progressbar", { name: "1 of 3 decided" }).waitFor();
});

test("one key opens the next change or the previous one, in the order of the list", async () => {
  const { page } = await withThree();
  await editorOf(page, "a.txt").waitFor();
  for (const name of ["c.txt", "b.txt", "a.txt"]) {
    await page.keyboard.press("p");
    await expect.poll(() => shown(page).innerText()).toContain(name);
  }
  await page.keyboard.press("P");
  await expect.poll(() => shown(page).innerText()).toContain("b.txt");
});

test("a long list is filtered by file and by agent, and all means what is listed", async () => {
  const { page, propose, decisions } = await withThree();
  for (const name of ["e.txt", "f.txt", "g.txt"]) await propose(name, "new\n");
  const filter = list(page).getByRole("textbox", { name: "Filter the waiting changes" });
  await filter.fill("gemini");
  expect(await list(page).getByRole("listitem").allInnerTexts()).toEqual([expect.stringContaining("b.txt")]);
  await list(page).getByRole("button", { name: "Reject all …" }).click();
  await dialog(page).getByRole("button", { name: "Reject 1 change" }).click();
  await list(page).getByText("Nothing fits.").waitFor();
  expect(decisions).toEqual([{ kind: "rejected" }]);
  await filter.press("Escape");
  await expect.poll(() => list(page).getByRole("listitem").count()).toBe(5);
});

test("the filter stays while its user writes in it, also when the list gets short", async () => {
  const { page, propose, decisions } = await withThree();
  for (const name of ["e.txt", "f.txt", "g.txt"]) await propose(name, "new\n");
  const filter = list(page).getByRole("textbox", { name: "Filter the waiting changes" });
  await filter.fill("gemini");
  await list(page).getByRole("button", { name: "Reject all …" }).click();
  await dialog(page).getByRole("button", { name: "Reject 1 change" }).click();
  await list(page).getByText("Nothing fits.").waitFor();
  await filter.fill("");
  await expect.poll(() => list(page).getByRole("listitem").count()).toBe(5);
  await page.keyboard.type("x");
  expect(await filter.inputValue()).toBe("x");
  expect(decisions).toEqual([{ kind: "rejected" }]);
});

describe("a change that arrives", () => {
  test("moves neither the one that is read, nor its scroll position, nor the focus", async () => {
    const long = Array.from({ length: 300 }, (_, index) => `line ${index}\n`).join("");
    const { page, propose } = await setUp({ files: { "long.txt": "" } });
    await propose("long.txt", long);
    const editor = editorOf(page, "long.txt");
    await editor.waitFor();
    await list(page).getByRole("button", { name: "long.txt" }).focus();
    const scroller = page.locator(".cm-scroller").last();
    const state = async () => ({
      top: await scroller.evaluate((element) => element.getBoundingClientRect().top + element.scrollTop),
      focused: await page.evaluate(() => document.activeElement?.textContent),
      tab: await shown(page).innerText(),
    });
    await scroller.evaluate((element) => element.scrollTo(0, 1500));
    // The text is measured while it is scrolled for the first time.
    let before = await state();
    await expect
      .poll(async () => {
        const last = before;
        before = await state();
        return JSON.stringify(before) === JSON.stringify(last);
      })
      .toBe(true);
    for (const name of ["a.txt", "b.txt", "c.txt"]) await propose(name, "new\n", `Agent of ${name}`);
    await list(page).getByRole("button", { name: "c.txt" }).waitFor();
    expect(await state()).toEqual(before);
  });
});

describe("all changes are decided after one question, which", () => {
  test("names those that the user has edited, and accepts each as it stands", async () => {
    const { page, decisions } = await withThree();
    await typeInFirstLine(page, "a.txt", ", mine");
    await page.keyboard.press("Escape");
    await list(page).getByText("edited").waitFor();
    await page.keyboard.press("A");
    await dialog(page).getByText("With your edits, as you see them: a.txt.").waitFor();
    expect(decisions).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => decisions.length).toBe(3);
    expect(decisions.map((one) => one.kind === "accepted" && one.content)).toEqual([
      "A, mine\n",
      "C\n",
      "B\n",
    ]);
    await page
      .getByRole("region", { name: "History" })
      .getByText(/accepted/)
      .nth(2)
      .waitFor();
  });

  test("can be left, and takes all keys until then", async () => {
    const { page, decisions } = await withThree();
    await page.keyboard.press("R");
    await dialog(page).getByRole("button", { name: "Reject 3 changes" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("x");
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "hidden" });
    expect(decisions).toEqual([]);
    await page.keyboard.press("R");
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await dialog(page).waitFor({ state: "hidden" });
    expect(await list(page).getByRole("listitem").count()).toBe(3);
  });

  test("can be asked again as soon as it has been left", async () => {
    const { page } = await withThree();
    await page.keyboard.press("R");
    await dialog(page).getByRole("button", { name: "Cancel" }).waitFor();
    // Before the page hears that the dialog is closed.
    await page.evaluate(() => {
      const press = () =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "R", bubbles: true }));
      document.querySelector("dialog[open]")?.addEventListener("close", press, { capture: true, once: true });
    });
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog(page).evaluateAll((all) => all.length)).toBe(1);
    await dialog(page).getByRole("button", { name: "Cancel" }).click();
    await dialog(page).waitFor({ state: "hidden" });
  });

  test("is about one agent alone, where that is asked", async () => {
    const { page, decisions } = await withThree();
    await list(page).getByTitle("Accept the rest of what Qwen Code proposes").click();
    await dialog(page).getByRole("button", { name: "Accept 2 changes" }).click();
    await expect.poll(() => decisions.length).toBe(2);
    await expect.poll(() => shown(page).innerText()).toContain("b.txt");
    expect(await list(page).getByRole("listitem").count()).toBe(1);
  });
});

test("the rest of a turn is accepted ahead, visibly, except for the files named, until it is stopped", async () => {
  const { page, propose } = await withThree();
  await list(page).getByTitle("Accept the rest of what Qwen Code proposes").click();
  await dialog(page).getByRole("checkbox").check();
  await dialog(page).getByRole("textbox", { name: "Stop at files that match" }).fill("*.sql, migrations/");
  await dialog(page).getByRole("button", { name: "Accept 2 changes" }).click();
  const banner = page.getByRole("status").filter({ hasText: "What Qwen Code proposes in this turn" });
  await banner.getByText("Waiting for you: *.sql, migrations/").waitFor();
  await propose("e.txt", "new\n");
  await banner.getByText("1 accepted so far.").waitFor();
  await propose("d.sql", "D\n");
  await list(page).getByRole("button", { name: "d.sql" }).waitFor();
  // The other agent's waits as well.
  await list(page).getByRole("button", { name: "b.txt" }).waitFor();
  await page.getByText("accepted ahead").first().waitFor();
  await banner.getByRole("button", { name: "Stop" }).click();
  await banner.waitFor({ state: "detached" });
  await propose("f.txt", "new\n");
  await list(page).getByRole("button", { name: "f.txt" }).waitFor();
  expect(await list(page).getByRole("listitem").count()).toBe(3);
});

test("the rest of a turn is not offered where the filter hides a change of it", async () => {
  const { page, propose } = await withThree();
  for (const name of ["e.txt", "f.txt", "g.txt"]) await propose(name, "new\n");
  const accept = list(page).getByTitle("Accept the rest of what Qwen Code proposes");
  const filter = list(page).getByRole("textbox", { name: "Filter the waiting changes" });
  await filter.fill("c.txt");
  await accept.click();
  await dialog(page).getByRole("button", { name: "Accept 1 change" }).waitFor();
  expect(await dialog(page).getByRole("checkbox").count()).toBe(0);
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await filter.fill("qwen");
  await accept.click();
  await dialog(page).getByRole("button", { name: "Accept 5 changes" }).waitFor();
  expect(await dialog(page).getByRole("checkbox").count()).toBe(1);
});

test("a question that is answered is gone before the next key", async () => {
  const { page } = await withThree();
  await list(page).getByRole("button", { name: "Accept all" }).click();
  const cancel = dialog(page).getByRole("button", { name: "Cancel" });
  const isOpen = await cancel.evaluate(async (button: HTMLButtonElement) => {
    button.click();
    // No frame is drawn meanwhile.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return document.querySelector("dialog[open]") !== null;
  });
  expect(isOpen).toBe(false);
});

test("ten files of one turn are reviewed by keyboard alone", async () => {
  const names = Array.from({ length: 10 }, (_, index) => `${index}.txt`);
  const before = "one\ntwo\nthree\n".repeat(4);
  const { page, propose, decisions } = await setUp({
    files: Object.fromEntries(names.map((name) => [name, before])),
  });
  const after = before.replace("two", "2").replace(/three\n$/, "3\n");
  for (const name of names) await propose(name, after);
  const keys = async (...all: readonly string[]) => {
    for (const key of all) await page.keyboard.press(key);
  };
  const reading = async (name: string) => {
    await expect.poll(() => shown(page).innerText()).toContain(name);
    await editorOf(page, name).waitFor();
    await page.locator(".panel:not([hidden])").getByText("2 changes").waitFor();
    await decidable(page);
  };
  const accept = async (count: number) => {
    await keys("Control+Enter");
    await expect.poll(() => decisions.length).toBe(count);
  };
  await reading("0.txt");
  // Reads both changes, and marks the second as viewed.
  await keys("j", "y");
  await page.getByText("1 of 2 changes viewed").waitFor();
  await accept(1);
  await reading("1.txt");
  // Reverts the first change.
  await keys("n");
  await page.getByText("1 change", { exact: true }).first().waitFor();
  await accept(2);
  await reading("2.txt");
  // Edits.
  await keys("i", "Control+Home", "End");
  await page.keyboard.type(", mine");
  // Out of the text: keys that follow one that closes are taken for text.
  await keys("Escape");
  await accept(3);
  await reading("3.txt");
  // Says why.
  await keys("c");
  await page.keyboard.type("Why 2?");
  await keys("Escape", "Control+Shift+Backspace");
  await expect.poll(() => decisions.length).toBe(4);
  await reading("4.txt");
  // Looks at the next file and comes back, in the other layout, and accepts the rest at once.
  await keys("p");
  await reading("5.txt");
  await keys("P", "u");
  await reading("4.txt");
  await keys("A");
  await dialog(page).getByText("Accept 6 changes").first().waitFor();
  await keys("Enter");
  await expect.poll(() => decisions.length).toBe(10);
  expect(decisions.slice(0, 4)).toMatchObject([
    { kind: "accepted", content: after },
    { kind: "accepted", content: before.replace(/three\n$/, "3\n") },
    { kind: "accepted", content: after.replace("one", "one, mine") },
    { kind: "rejected", comments: [{ startLine: 2, text: "Why 2?" }] },
  ]);
  expect(decisions.slice(4).map((one) => one.kind === "accepted" && one.content)).toEqual(
    Array.from({ length: 6 }, () => after),
  );
});

test("marks, tabs and the place outlast a reload, other pages show the marks, and Accept all says what was not looked at", async () => {
  const lines = (change: (line: number) => string) =>
    Array.from({ length: 200 }, (_, index) => `${change(index)}\n`).join("");
  const { page, propose, secondPage } = await setUp({
    files: { "a.txt": lines(String), "b.txt": "b\n", "c.txt": "c\n" },
  });
  const proposed = lines((line) => (line % 60 === 50 ? `changed ${line}` : String(line)));
  for (const [name, text] of [
    ["a.txt", proposed],
    ["b.txt", "B\n"],
    ["c.txt", "C\n"],
  ] as const)
    await propose(name, text);
  await page.getByRole("button", { name: "Mark change 2 as viewed" }).click();
  await page.getByText("1 of 3 changes viewed").waitFor();
  await page.getByRole("treeitem", { name: "b.txt" }).click();
  await page.getByRole("textbox", { name: "b.txt, read only" }).waitFor();
  await page.getByRole("tab", { name: "± a.txt" }).click();
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await page.locator(".hunk-current").getByText("Change 3 of 3").waitFor();
  await page.reload();
  await page.getByText("1 of 3 changes viewed").waitFor();
  await page.getByRole("tab", { name: "b.txt", exact: true }).waitFor();
  await page.locator(".hunk-current").getByText("Change 3 of 3").waitFor();
  await page.getByText("changed 170").waitFor();
  const second = await secondPage();
  await second.getByText("1 of 3 changes viewed").waitFor();
  await second.getByRole("button", { name: "Mark change 1 as viewed" }).click();
  await page.getByText("2 of 3 changes viewed").waitFor();
  await page.keyboard.press("A");
  await page.getByText("You have not looked at 2 of 3 files.").waitFor();
});
