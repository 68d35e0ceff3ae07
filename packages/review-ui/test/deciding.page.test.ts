import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Fixture, type FixtureOptions, type Harness, openHarness } from "./page-harness.ts";

let harness: Harness;
let fixture: Fixture;
const setUp = async (options?: FixtureOptions) => {
  fixture = await harness.fixture(options);
  return fixture;
};
beforeAll(async () => {
  harness = await openHarness();
});
afterEach(async () => {
  expect(fixture.complaints).toEqual([]);
  await fixture.close();
});
afterAll(() => harness.close());

const accept = (page: Page) => page.getByRole("button", { name: "Accept", exact: true }).click();
const reject = (page: Page) => page.getByRole("button", { name: "Reject", exact: true }).click();
const editorOf = (page: Page, name: string) =>
  page.getByRole("textbox", { name: `${name} as proposed, editable` });
const waiting = (page: Page) => page.getByRole("region", { name: /^Waiting/ });
const decided = (count = 1) => expect.poll(() => fixture.decisions.length).toBe(count);

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

  const texts = {
    "with CRLF": [lines("\r\n"), lines("\r\n", { 5: "five" })],
    "with CR only": ["a\rb\rc\r", "a\rB\rc\r"],
    "with mixed line endings": ["a\r\nb\nc\rd\r\n", "a\r\nB\nc\rd\r\ne\n"],
    "with a BOM": ["\ufeffa\nb\n", "\ufeffa\nB\n"],
    "without a last newline": ["a\nb", "a\nB"],
    "with NUL, tabs and bidirectional controls": ["a\0\tb\n", "a\0\tb\u202e\n\t\0"],
    "with halves of surrogate pairs": ["a\n", "a\ud800b\n\udfff\n😀"],
    "that is empty": ["a\n", ""],
    "of one newline": ["", "\n"],
  } as const;
  for (const [name, [before, after]] of Object.entries(texts)) {
    for (const layout of ["side by side", "unified"]) {
      test(`${name}, seen ${layout}, is accepted byte by byte`, async () => {
        const { page, propose, decisions } = await setUp({ files: { "a.txt": before } });
        await propose("a.txt", after);
        await editorOf(page, "a.txt").waitFor();
        if (layout === "unified") await page.keyboard.press("u");
        await accept(page);
        await decided();
        expect(decisions).toEqual([{ kind: "accepted", content: after }]);
        await waiting(page).waitFor({ state: "detached" });
      });
    }
  }

  test("is rejected when its tab is closed, but not before a question when it holds edits", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "one\ntwo\n" } });
    await propose("a.txt", "one\n2\n");
    await page.getByTitle("Reject the change of a.txt").click();
    await decided();
    await propose("a.txt", "one\n2\n");
    await editorOf(page, "a.txt").getByText("2", { exact: true }).click();
    await page.keyboard.type("!");
    await page.getByTitle("Reject the change of a.txt").click();
    await page.getByText("rejects it, with your edits").waitFor();
    expect(decisions).toEqual([{ kind: "rejected" }]);
    await page.getByRole("button", { name: "Reject it" }).click();
    await decided(2);
    expect(decisions).toEqual([{ kind: "rejected" }, { kind: "rejected" }]);
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
    const reason = "Qwen Code ignores an empty text.";
    const { page, propose } = await setUp({
      files: { "a.txt": "a\n" },
      result: () => ({ taken: false, reason }),
    });
    await propose("a.txt", "");
    await accept(page);
    await page.getByRole("alert").getByText(reason).waitFor();
    expect(await page.getByRole("button", { name: "Accept", exact: true }).isEnabled()).toBe(true);
  });

  test("for a new file shows that, and is accepted", async () => {
    const { page, propose, decisions } = await setUp();
    await propose("new/b.txt", "b\n");
    await page.getByText("new file").waitFor();
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "b\n" }]);
  });

  test("for a file that is binary, outside, or replaced as a whole shows that", async () => {
    const { page, propose } = await setUp({
      files: { "x.bin": Buffer.from([0, 255, 0, 1]), "a.txt": "a\nb\n" },
    });
    await propose("x.bin", "text\n");
    await page.getByText("This is a binary file of 4 bytes; it is not shown.").waitFor();
    await reject(page);
    await propose("/nowhere/b.txt", "b\n");
    await page.getByText("outside the workspace").waitFor();
    await reject(page);
    await propose("a.txt", "c\nd\n");
    await page.getByText("whole file replaced").waitFor();
  });

  test("that changes line endings, BOM and the last newline shows that, and restores them on request", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\nb\n" } });
    await propose("a.txt", "\ufeffa\r\nB");
    await page.getByText("LF → CRLF").waitFor();
    await page.getByRole("button", { name: /Back to LF$/ }).click();
    await page.getByRole("button", { name: /byte order mark.*Remove it$/ }).click();
    await page.getByRole("button", { name: /line ending.*Put it back$/ }).click();
    await expect.poll(() => page.getByRole("button", { name: /(Put it back|Remove it)$/ }).count()).toBe(0);
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "a\nB\n" }]);
  });

  test("without the CRLF and the BOM of its file shows only the changed line, and what the agent restores", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "\ufeffa\r\nb\r\nc\r\n" } });
    await propose("a.txt", "a\nB\nc\n");
    await page.getByText("1 change", { exact: true }).waitFor();
    await page.getByText("CRLF", { exact: true }).waitFor();
    await page.getByText("BOM", { exact: true }).waitFor();
    await page.getByText("+1", { exact: true }).first().waitFor();
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "a\nB\nc\n" }]);
  });

  test("for a file that is not UTF-8 shows that, and cannot be reverted", async () => {
    const { page, propose } = await setUp({ files: { "a.txt": Buffer.from("caf\xe9\nb\n", "latin1") } });
    await propose("a.txt", "café\nb\n");
    await page.getByText("is not valid UTF-8").waitFor();
    expect(await page.getByRole("button", { name: /^Revert/ }).count()).toBe(0);
  });

  test("reports that the file on disk has changed, and shows it as the base", async () => {
    const { page, propose, write } = await setUp({ files: { "a.txt": "a\nb\nc\n" } });
    await propose("a.txt", "a\nB\nc\n");
    await page.getByText("1 change", { exact: true }).waitFor();
    await write("a.txt", "a\nb\nc\nand another\n");
    await page.getByRole("button", { name: "Show it as the base" }).click();
    await page.getByText("2 changes", { exact: true }).waitFor();
  });

  test("does not report a file that is rewritten with the same bytes", async () => {
    const { page, propose, write } = await setUp({ files: { "a.txt": "a\nb\nc\n", "b.txt": "b\n" } });
    await propose("a.txt", "a\nB\nc\n");
    await page.getByText("1 change", { exact: true }).waitFor();
    const read = page.waitForResponse(/api\/file/);
    await write("a.txt", "a\nb\nc\n");
    await (await read).finished();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await page.getByText("The file on disk has changed").count()).toBe(0);
    await write("a.txt", "a\nb\nd\n");
    await page.getByText("The file on disk has changed").waitFor();
  });

  test("of nine megabytes is shown and accepted", async () => {
    const before = "const value = 12345;\n".repeat(430_000);
    const after = before.replace("12345", "54321");
    const { page, propose, decisions } = await setUp({ files: { "big.ts": before } });
    await propose("big.ts", after);
    await page.getByText("over 2 MB").waitFor();
    await page.getByText("1 change", { exact: true }).waitFor();
    await accept(page);
    await decided();
    expect(decisions[0]?.kind === "accepted" && decisions[0].content === after).toBe(true);
  });
});

describe("several proposals", () => {
  test("wait in a row, oldest first, and follow each other", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\n", "b.txt": "b\n" } });
    await propose("a.txt", "A\n");
    await editorOf(page, "a.txt").waitFor();
    await propose("b.txt", "B\n", "Gemini CLI");
    await page.getByText("Gemini CLI proposes a change of b.txt.").first().waitFor();
    expect(await waiting(page).getByRole("button").allInnerTexts()).toEqual([
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

test("a proposal is reviewed and accepted by keyboard alone", async () => {
  const { page, propose, decisions } = await setUp({ files: { "a.txt": lines("\n") } });
  await propose("a.txt", lines("\n", { 5: "five", 25: "twenty-five", 45: "forty-five" }));
  await editorOf(page, "a.txt").waitFor();
  for (const key of ["j", "n", "i", "End", "!", "Tab", "Escape", "u", "k", "y"])
    await page.keyboard.press(key);
  await page.getByText("1 of 3 changes viewed").waitFor();
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
  await page.keyboard.press("Control+Shift+Backspace");
  await decided();
  expect(decisions).toEqual([{ kind: "rejected" }]);
});
