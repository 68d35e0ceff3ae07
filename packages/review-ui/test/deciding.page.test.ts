import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { accept, decidable, editorOf, reject } from "./page-harness.ts";

const { setUp, current } = useFixtures();

const waiting = (page: Page) => page.getByRole("region", { name: /^Waiting/ });
const decided = (count = 1) => expect.poll(() => current().decisions.length).toBe(count);

/** Fifty lines, so that changes lie apart. */
const lines = (ending: string, change: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 50 }, (_, index) => (change[index + 1] ?? `line ${index + 1}`) + ending).join("");

describe("a proposal", () => {
  test("opens automatically, with its agent, its path and its figures", async () => {
    const { page, propose } = await setUp({ files: { "src/a.ts": lines("\n") } });
    await propose("src/a.ts", lines("\n", { 5: "five", 40: "forty" }));
    await editorOf(page, "a.ts").waitFor();
    const head = page.getByRole("toolbar", { name: "Decide on the change of src/a.ts" });
    for (const text of ["Qwen Code", "src/a.ts", "+2", "−2", "2 changes"]) {
      await head.getByText(text, { exact: true }).waitFor();
    }
    await expect.poll(() => page.title()).toBe("(1) shop – Review");
  });

  test("waits on, with its edits, when its tab is closed", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "one\ntwo\n" } });
    await propose("a.txt", "one\n2\n");
    await editorOf(page, "a.txt").getByText("2", { exact: true }).click();
    await page.keyboard.press("End");
    await page.keyboard.type("!");
    await page.getByTitle("Close a.txt").click();
    await editorOf(page, "a.txt").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Review it" }).click();
    await editorOf(page, "a.txt").getByText("2!").waitFor();
    await page.keyboard.press("x");
    await editorOf(page, "a.txt").waitFor({ state: "detached" });
    await waiting(page).getByRole("button", { name: "a.txt" }).click();
    expect(decisions).toEqual([]);
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "one\n2!\n" }]);
  });

  test("that is edited is accepted as edited, in the file's own line endings", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "\ufeffone\r\ntwo\r\nthree" } });
    await propose("a.txt", "\ufeffone\r\n2\r\nthree");
    await editorOf(page, "a.txt").getByText("2", { exact: true }).click();
    await page.keyboard.press("End");
    await page.keyboard.type("!");
    await page.keyboard.press("Enter");
    await page.keyboard.type("new");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "\ufeffone\r\n2!\r\nnew\r\nthre" }]);
  });

  test("is reverted change by change, exactly", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": lines("\r\n") } });
    await propose("a.txt", lines("\r\n", { 5: "five", 25: "twenty-five\r\nmore", 45: "forty-five" }));
    await page.getByRole("button", { name: /^Revert change 2/ }).click();
    await page.getByRole("button", { name: /^Revert change 2/ }).waitFor();
    await page.getByRole("button", { name: "Mark change 1 as viewed" }).click();
    await page.getByText("1 of 2 changes viewed").waitFor();
    await accept(page);
    await decided();
    expect(decisions).toEqual([
      { kind: "accepted", content: lines("\r\n", { 5: "five", 45: "forty-five" }) },
    ]);
  });

  test("is the file on disk again when every change is reverted, last line and all", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "one\ntwo" } });
    await propose("a.txt", "zero\none\ntwo\nthree\n");
    await editorOf(page, "a.txt").waitFor();
    for (const _ of [1, 2]) await page.getByRole("button", { name: /^Revert change 1/ }).click();
    await page.getByText("This text is the same as the file on disk.").waitFor();
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "one\ntwo" }]);
  });

  test("is rejected without its text", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\n" } });
    await propose("a.txt", "b\n");
    await reject(page);
    await decided();
    expect(decisions).toEqual([{ kind: "rejected" }]);
    await page.getByText("rejected").first().waitFor();
  });

  test("whose decision is refused stays open, and shows why", async () => {
    const reason = { code: "empty-text", values: ["Qwen Code"] } as const;
    const { page, propose } = await setUp({
      files: { "a.txt": "a\n" },
      result: () => ({ taken: false, reason }),
    });
    await propose("a.txt", "");
    await accept(page);
    await page.getByRole("alert").getByText("Qwen Code does not take an empty text").waitFor();
    expect(await page.getByRole("button", { name: "Accept", exact: true }).isEnabled()).toBe(true);
  });
});

describe("several proposals", () => {
  test("wait in a row, oldest first, and follow each other", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\n", "b.txt": "b\n" } });
    await propose("a.txt", "A\n");
    await editorOf(page, "a.txt").waitFor();
    await propose("b.txt", "B\n", "Gemini CLI");
    await page.getByText("Gemini CLI proposes a change of b.txt.").first().waitFor();
    expect(await waiting(page).getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringContaining("a.txt"),
      expect.stringContaining("b.txt"),
    ]);
    await expect.poll(() => page.title()).toContain("(2)");
    expect(await editorOf(page, "b.txt").count()).toBe(0);
    await accept(page);
    await editorOf(page, "b.txt").waitFor();
    await accept(page);
    await decided(2);
    expect(decisions).toEqual([
      { kind: "accepted", content: "A\n" },
      { kind: "accepted", content: "B\n" },
    ]);
  });

  test("nine of eleven are decided with nine times Ctrl+Enter: each time the next one opens", async () => {
    const names = Array.from({ length: 11 }, (_, index) => `file-${index + 1}.txt`);
    const { page, propose, decisions } = await setUp({
      files: Object.fromEntries(names.map((name) => [name, "before\n"])),
    });
    for (const name of names) await propose(name, `${name}\n`);
    await decidable(page);
    for (const name of names.slice(0, 9)) {
      await editorOf(page, name).getByText(name, { exact: true }).waitFor();
      await page.keyboard.press("Control+Enter");
    }
    await decided(9);
    expect(decisions).toEqual(names.slice(0, 9).map((name) => ({ kind: "accepted", content: `${name}\n` })));
    await editorOf(page, "file-10.txt").waitFor();
  });

  test("that arrive together are one notice, which opens the first", async () => {
    const { page, propose, closeFromTerminal } = await setUp({ files: { "a.txt": "a\n" } });
    await propose("a.txt", "A\n");
    await editorOf(page, "a.txt").waitFor();
    const others = [];
    for (let index = 1; index <= 10; index += 1) others.push(await propose(`new-${index}.txt`, "new\n"));
    const notices = page.getByRole("region", { name: "Notices" });
    await notices.getByText("10 changes wait for you.").waitFor();
    expect(await notices.getByRole("button", { name: "Dismiss" }).count()).toBe(1);
    await page.getByRole("button", { name: "Review the first" }).click();
    await editorOf(page, "new-1.txt").waitFor();
    for (const proposal of others) await closeFromTerminal(proposal);
    await notices.getByText("10 changes: decided in the terminal.").waitFor();
    expect(await notices.getByRole("button", { name: "Dismiss" }).count()).toBe(1);
  });

  test("of files of one name show their folders in their tabs", async () => {
    const { page, propose } = await setUp({ files: { "one/index.ts": "1\n", "two/index.ts": "2\n" } });
    await propose("one/index.ts", "a\n");
    await page.getByRole("tab", { name: "index.ts" }).waitFor();
    await propose("two/index.ts", "b\n");
    await waiting(page).getByRole("button", { name: /two/ }).click();
    await page.getByRole("tab", { name: /index\.ts\s*one/ }).waitFor();
    await page.getByRole("tab", { name: /index\.ts\s*two/ }).waitFor();
  });

  test("do not take the focus from a field being typed in", async () => {
    const { page, propose } = await setUp({ files: { "a.txt": "a\n" } });
    await page.keyboard.press("/");
    await page.keyboard.type("hel");
    await propose("a.txt", "A\n");
    await waiting(page).waitFor();
    await page.keyboard.type("lo");
    expect(await page.getByRole("combobox", { name: "Find a file" }).inputValue()).toBe("hello");
    expect(await page.getByRole("tab").count()).toBe(0);
  });

  test("do not take the focus from a diff being edited", async () => {
    const { page, propose } = await setUp({ files: { "a.txt": "a\n", "b.txt": "b\n" } });
    await propose("a.txt", "A\n");
    await editorOf(page, "a.txt").focus();
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("End");
    await page.keyboard.type("1");
    await propose("b.txt", "B\n");
    await waiting(page).getByText("b.txt").waitFor();
    await page.keyboard.type("2");
    await editorOf(page, "a.txt").getByText("A12").waitFor();
  });
});

describe("what was meant for one proposal does not decide the next", () => {
  const names = ["a.txt", "b.txt", "c.txt"];
  const setUpThree = async () => {
    const fixture = await setUp({ files: Object.fromEntries(names.map((name) => [name, "old\n"])) });
    for (const name of names) await fixture.propose(name, `${name}\n`);
    await decidable(fixture.page);
    return fixture;
  };
  const accepted = (name: string) => ({ kind: "accepted", content: `${name}\n` });
  const rejected = { kind: "rejected" };

  for (const [key, first] of [
    ["Control+Enter", accepted("a.txt")],
    ["Control+Shift+Backspace", rejected],
  ] as const) {
    test(`${key} held`, async () => {
      const { page, decisions } = await setUpThree();
      const [last = "", ...modifiers] = key.split("+").reverse();
      for (const one of [...modifiers, last, last]) {
        await page.keyboard.down(one);
        if (one === last) await editorOf(page, "b.txt").waitFor();
      }
      for (const one of [last, ...modifiers]) await page.keyboard.up(one);
      await (first === rejected ? accept : reject)(page);
      await decided(2);
      expect(decisions).toEqual([first, first === rejected ? accepted("b.txt") : rejected]);
    });
  }

  for (const [title, first] of [
    ["Accept exactly what is shown", accepted("a.txt")],
    ["Reject (", rejected],
  ] as const) {
    test(`a double click on ${title}`, async () => {
      const { page, decisions } = await setUpThree();
      const { x = 0, y = 0 } = (await page.locator(`[title^="${title}"]:visible`).boundingBox()) ?? {};
      await page.mouse.click(x + 5, y + 5);
      await editorOf(page, "b.txt").waitFor();
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await (first === rejected ? accept : reject)(page);
      await decided(2);
      expect(decisions).toEqual([first, first === rejected ? accepted("b.txt") : rejected]);
    });
  }

  test("Delete held that closes a file", async () => {
    const { page, decisions } = await setUpThree();
    await page.getByRole("treeitem", { name: "c.txt" }).click();
    await page.getByRole("tab", { name: "c.txt" }).focus();
    await page.keyboard.down("Delete");
    await page.locator('[role="tab"]:focus').getByText("a.txt").waitFor();
    await page.keyboard.down("Delete");
    await page.keyboard.up("Delete");
    await accept(page);
    await decided();
    expect(decisions).toEqual([accepted("a.txt")]);
  });
});

/** Presses a key in the moment in which a proposal is in front. */
const pressAtOnce = (page: Page, key: string, name: string) =>
  page.evaluate(
    ([pressed, shown]) =>
      new Promise<void>((resolve) => {
        const look = () => {
          const [panel] = document.querySelectorAll(".panel:not([hidden])");
          const isShown = panel?.querySelector(`.cm-content[aria-label^="${shown} as proposed"]`);
          if (!isShown) return void requestAnimationFrame(look);
          const init = { key: pressed, ctrlKey: pressed === "Enter", bubbles: true };
          document.body.dispatchEvent(new KeyboardEvent("keydown", init));
          resolve();
        };
        look();
      }),
    [key, name] as const,
  );

test("a key for a proposal does not decide the newer one that replaces it, nor the one behind it", async () => {
  const { page, propose, frontend, decisions, changeOf, closeFromTerminal } = await setUp({
    files: { "a.txt": "a\n", "b.txt": "b\n" },
  });
  const first = changeOf(await propose("a.txt", "A\n"));
  await editorOf(page, "a.txt").waitFor();
  await frontend.editor.hide(first, "replaced");
  first.end();
  const settlement = { kind: "closed", reason: "replaced" } as const;
  frontend.onEvent({ kind: "diff-settled", proposal: first.proposal, settlement });
  await editorOf(page, "a.txt").waitFor({ state: "detached" });
  let pressed = pressAtOnce(page, "Enter", "a.txt");
  await propose("a.txt", "newer\n");
  await pressed;
  const second = await propose("b.txt", "B\n");
  await waiting(page).getByRole("button", { name: "b.txt" }).click();
  await editorOf(page, "b.txt").waitFor();
  pressed = pressAtOnce(page, "Enter", "a.txt");
  await closeFromTerminal(second);
  await pressed;
  await reject(page);
  await decided();
  expect(decisions).toEqual([{ kind: "rejected" }]);
});

test("keys for a field that goes while its user writes decide nothing", async () => {
  const { page, frontend, session, propose, decisions } = await setUp({ files: { "a.txt": "a\n" } });
  frontend.onEvent({ kind: "session-opened", session });
  await propose("a.txt", "A\n");
  await decidable(page);
  await page.getByRole("textbox", { name: "A text for the agent’s prompt" }).focus();
  frontend.onEvent({ kind: "session-closed", session, reason: "it has ended" });
  await page.getByText("No CLI is connected.").waitFor();
  for (const key of ["x", "Control+Enter"]) await page.keyboard.press(key);
  await reject(page);
  await decided();
  expect(decisions).toEqual([{ kind: "rejected" }]);
});

test("a proposal that its user opens is decided by the next key", async () => {
  const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\n", "b.txt": "b\n" } });
  await propose("a.txt", "A\n");
  await editorOf(page, "a.txt").waitFor();
  await propose("b.txt", "B\n");
  await waiting(page).getByRole("button", { name: "b.txt" }).waitFor();
  const pressed = pressAtOnce(page, "Enter", "b.txt");
  await page.keyboard.press("p");
  await pressed;
  await decided();
  expect(decisions).toEqual([{ kind: "accepted", content: "B\n" }]);
});

test("a proposal is reviewed and accepted by keyboard alone", async () => {
  const { page, propose, decisions } = await setUp({ files: { "a.txt": lines("\n") } });
  await propose("a.txt", lines("\n", { 5: "five", 25: "twenty-five", 45: "forty-five" }));
  await editorOf(page, "a.txt").waitFor();
  for (const key of ["j", "n", "i", "End", "!", "Tab", "Escape", "u", "k", "y"])
    await page.keyboard.press(key);
  await page.getByText("1 of 3 changes viewed").waitFor();
  await decidable(page);
  await page.keyboard.press("Control+Enter");
  await decided();
  expect(decisions).toEqual([
    { kind: "accepted", content: lines("\n", { 5: "five", 25: "  line 25!", 45: "forty-five" }) },
  ]);
});

test("a proposal is rejected by keyboard, also from within the text", async () => {
  const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\n" } });
  await propose("a.txt", "A\n");
  await editorOf(page, "a.txt").getByText("A", { exact: true }).click();
  await decidable(page);
  await page.keyboard.press("Control+Shift+Backspace");
  await decided();
  expect(decisions).toEqual([{ kind: "rejected" }]);
});

test("a key decides about the change that was brought to the front right before", async () => {
  const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\n", "b.txt": "b\n" } });
  await propose("a.txt", "A\n");
  await propose("b.txt", "B\n");
  await page.getByRole("region", { name: "Waiting" }).getByRole("button", { name: "b.txt" }).waitFor();
  for (const name of ["b.txt", "a.txt"]) {
    await page.keyboard.press("p");
    await editorOf(page, name).waitFor();
  }
  await page.evaluate(async () => {
    const press = (init: KeyboardEventInit) =>
      document.body.dispatchEvent(new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true }));
    press({ key: "p", code: "KeyP" });
    // The page is rendered, but the browser is too busy to draw it.
    for (let turn = 0; turn < 100; turn += 1) await undefined;
    press({ key: "Enter", code: "Enter", ctrlKey: true });
  });
  await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: "B\n" }]);
});
