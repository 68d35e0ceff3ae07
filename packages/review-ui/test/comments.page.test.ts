import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { decidable, editorOf, typeInFirstLine } from "./page-harness.ts";

const { setUp, current } = useFixtures();

const files = { "a.txt": "one\ntwo\nthree\nfour\n" };
const proposed = "one\n2\nthree\nfour\n";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (page: Page, place: string) => page.getByRole("textbox", { name: `Comment on ${place}` });
/** The number of a line in the proposed text. */
const lineNumber = (page: Page, line: number) =>
  page.locator(".cm-merge-b .cm-lineNumbers .cm-gutterElement").getByText(String(line), { exact: true });
/** The comments that the companion has last been sent. */
const saved = () =>
  current()
    .comments.at(-1)
    ?.map(({ side, startLine, endLine, quote, text }) => [side, startLine, endLine, quote, text]);
const decided = () => expect.poll(() => current().decisions.length).toBe(1);

async function propose(options: Parameters<typeof setUp>[0] = {}) {
  const fixture = await setUp({ files, ...options });
  const proposal = await fixture.propose("a.txt", proposed);
  await editorOf(fixture.page, "a.txt").waitFor();
  return { ...fixture, proposal };
}

test("a click on a line's number opens a comment, which is saved as it is written and goes with the rejection", async () => {
  const { page, decisions } = await propose();
  await lineNumber(page, 2).click();
  await field(page, "line 2").waitFor();
  await expect
    .poll(() => field(page, "line 2").evaluate((element) => element === document.activeElement))
    .toBe(true);
  await page.keyboard.type("Why 2?");
  await expect.poll(saved).toEqual([["proposed", 2, 2, "2", "Why 2?"]]);
  await page.getByText("1 comment", { exact: true }).waitFor();
  await button(page, "Reject and say why").click();
  await decided();
  expect(decisions).toMatchObject([{ kind: "rejected", comments: [{ startLine: 2, text: "Why 2?" }] }]);
});

test("a comment on all of a change is above its lines, stays there over edits and a reload, and goes with the decision", async () => {
  const { page, decisions } = await propose();
  await page.keyboard.press("C");
  await field(page, "the change").waitFor();
  await page.keyboard.type("Too much.");
  await page.keyboard.press("Escape");
  await expect.poll(saved).toEqual([["proposed", 0, 0, "", "Too much."]]);
  await typeInFirstLine(page, "a.txt", "!");
  await page.reload();
  const box = page.getByRole("region", { name: "Comment on the change" });
  await box.getByText("Too much.").waitFor();
  await button(page, "Comment on the change (C)").click();
  await page.keyboard.type(" Really.");
  await button(page, "Done: Comment on the change").click();
  await expect.poll(saved).toEqual([["proposed", 0, 0, "", "Too much. Really."]]);
  await button(page, "Reject and say why").click();
  await decided();
  expect(decisions).toMatchObject([{ comments: [{ startLine: 0, endLine: 0, text: "Too much. Really." }] }]);
});

test("comments are written by the keys alone, on the selected lines, and closed by Ctrl+Enter without a decision", async () => {
  const { page, decisions } = await propose();
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await field(page, "line 2").waitFor();
  await page.keyboard.type("c u j Why?");
  await page.keyboard.press("Control+Enter");
  await field(page, "line 2").waitFor({ state: "detached" });
  await page.getByText("c u j Why?").waitFor();
  expect(decisions).toEqual([]);
  await editorOf(page, "a.txt").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Alt+c");
  await field(page, "lines 1–3").waitFor();
  await page.keyboard.type("All of it?");
  await page.keyboard.press("Escape");
  await page.getByText("2 comments", { exact: true }).waitFor();
  await decidable(page);
  await page.keyboard.press("Control+Enter");
  await decided();
  expect(decisions).toMatchObject([
    { kind: "accepted", content: proposed, comments: [{ startLine: 2 }, { startLine: 1, endLine: 3 }] },
  ]);
});

test("the next key belongs to the comment that a key opens, also where its lines are out of sight", async () => {
  const { page } = await propose();
  await page.keyboard.press("j");
  await editorOf(page, "a.txt").blur();
  expect(await fieldAfterKey(page)).toBe("Comment on line 2");
  const { page: long, propose: proposeLong } = await setUp({ files });
  await proposeLong("a.txt", `first\n${"more\n".repeat(2000)}`);
  await editorOf(long, "a.txt").focus();
  await long.keyboard.press("Control+Home");
  await editorOf(long, "a.txt").hover({ position: { x: 20, y: 20 } });
  await long.mouse.wheel(0, 20_000);
  const first = long.locator(".cm-line").getByText("first", { exact: true });
  await expect.poll(() => first.evaluate((line) => line.getBoundingClientRect().bottom)).toBeLessThan(0);
  await editorOf(long, "a.txt").blur();
  expect(await fieldAfterKey(long)).toBe("Comment on line 1");
  await expect.poll(() => first.evaluate((line) => line.getBoundingClientRect().top)).toBeGreaterThan(0);
});

test("a comment is written on while its lines are scrolled out of sight", async () => {
  const { page, propose: proposeLong, decisions } = await setUp({ files });
  await proposeLong("a.txt", `first\n${"more\n".repeat(2000)}`);
  await page
    .locator(".cm-merge-b .cm-lineNumbers .cm-gutterElement")
    .getByText("20", { exact: true })
    .click();
  await page.keyboard.type("Why ");
  await editorOf(page, "a.txt").hover({ position: { x: 20, y: 20 } });
  await page.mouse.wheel(0, 20_000);
  await page
    .locator(".cm-merge-b .cm-lineNumbers")
    .getByText(/^9\d\d$/)
    .first()
    .waitFor();
  await page.keyboard.type("next?");
  await expect.poll(saved).toEqual([["proposed", 20, 20, "more", "Why next?"]]);
  expect(decisions).toEqual([]);
});

/** The field that has the focus at once after the key for a comment, before anything is drawn. */
function fieldAfterKey(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "c", code: "KeyC", bubbles: true }));
    return document.activeElement?.getAttribute("aria-label");
  });
}

test("a range is made with Shift, and a comment on the file's own lines is one on the original", async () => {
  const { page } = await propose();
  await lineNumber(page, 2).click();
  await page.keyboard.type("The");
  await lineNumber(page, 4).click({ modifiers: ["Shift"] });
  await field(page, "lines 2–4").waitFor();
  await page.keyboard.type("se");
  await expect.poll(saved).toEqual([["proposed", 2, 4, "2\nthree\nfour", "These"]]);
  await page.locator(".cm-merge-a .cm-lineNumbers .cm-gutterElement").getByText("2", { exact: true }).click();
  await field(page, "line 2").fill("This was right.");
  await expect.poll(() => saved()?.at(-1)).toEqual(["original", 2, 2, "two", "This was right."]);
});

test("a range is made by a drag over the line numbers, in either direction", async () => {
  const { page } = await propose();
  const middle = async (line: number) => {
    const { x = 0, y = 0, width = 0, height = 0 } = (await lineNumber(page, line).boundingBox()) ?? {};
    return [x + width / 2, y + height / 2] as const;
  };
  const drag = async (from: number, to: number) => {
    await page.mouse.move(...(await middle(from)));
    await page.mouse.down();
    await page.mouse.move(...(await middle(to)), { steps: 4 });
    await page.mouse.up();
  };
  await drag(1, 3);
  await field(page, "lines 1–3").fill("These");
  await expect.poll(saved).toEqual([["proposed", 1, 3, "one\n2\nthree", "These"]]);
  await page.keyboard.press("Escape");
  await drag(4, 3);
  await field(page, "lines 3–4").fill("Those");
  await expect.poll(() => saved()?.at(-1)).toEqual(["proposed", 3, 4, "three\nfour", "Those"]);
});

test("comments can be edited and deleted, follow their lines, and an empty one is gone", async () => {
  const { page } = await propose();
  await lineNumber(page, 2).click();
  await page.keyboard.type("Why?");
  await page.keyboard.press("Escape");
  await typeInFirstLine(page, "a.txt", "\nmore");
  await expect.poll(saved).toEqual([["proposed", 3, 3, "2", "Why?"]]);
  await button(page, "Edit: Comment on line 3").click();
  await field(page, "line 3").fill("Why not?");
  await button(page, "Done: Comment on line 3").click();
  await expect.poll(saved).toEqual([["proposed", 3, 3, "2", "Why not?"]]);
  await lineNumber(page, 1).click();
  await field(page, "line 1").waitFor();
  await page.keyboard.press("Escape");
  await field(page, "line 1").waitFor({ state: "detached" });
  await button(page, "Delete: Comment on line 3").click();
  await expect.poll(saved).toEqual([]);
  await button(page, "Reject").waitFor();
});

test("comments survive a reload of the page, and reach a second page", async () => {
  const { page, secondPage } = await propose();
  await lineNumber(page, 2).click();
  await page.keyboard.type("Why?");
  await expect.poll(saved).toMatchObject([["proposed", 2, 2, "2", "Why?"]]);
  await page.reload();
  await page.locator(".comment-text").getByText("Why?").waitFor();
  const second = await secondPage();
  await second.getByRole("button").filter({ hasText: "a.txt" }).first().click();
  await second.locator(".comment-text").getByText("Why?").waitFor();
  await button(second, "Edit: Comment on line 2").click();
  await field(second, "line 2").fill("Why, really?");
  await page.locator(".comment-text").getByText("Why, really?").waitFor();
});

test("a comment stays with its line in two pages while its user types above it in one of them", async () => {
  const { page, secondPage } = await propose();
  const second = await secondPage();
  await editorOf(second, "a.txt").waitFor();
  await page.bringToFront();
  await lineNumber(page, 3).click();
  await page.keyboard.type("Why?");
  await page.keyboard.press("Escape");
  await second.getByRole("region", { name: "Comment on line 3" }).waitFor();
  await editorOf(page, "a.txt").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("\n".repeat(12), { delay: 60 });
  await second.getByRole("region", { name: "Comment on line 15" }).waitFor();
  await expect.poll(saved).toEqual([["proposed", 15, 15, "three", "Why?"]]);
  await page.keyboard.type("end");
  await expect.poll(() => current().drafts.at(-1)).toContain("end");
  await editorOf(second, "a.txt").getByText("end").waitFor();
  expect(saved()).toEqual([["proposed", 15, 15, "three", "Why?"]]);
});

test("a change whose agent takes no edits can be commented on", async () => {
  const { page, propose: proposeMore, decisions } = await setUp({ files });
  await proposeMore("a.txt", proposed, "Toy", { code: "takes-no-edits", values: ["Toy"] });
  await page.getByText("Toy takes no edits: it writes its own text.").waitFor();
  await lineNumber(page, 2).click();
  await page.keyboard.type("Why?");
  await button(page, "Reject and say why").click();
  await decided();
  expect(decisions).toMatchObject([{ kind: "rejected", comments: [{ text: "Why?" }] }]);
});

test("comments whose prompt cannot be reached are in the clipboard, and wait in the panel until they are sent or discarded", async () => {
  const sent: string[] = [];
  const { page, proposal, recoverComments, folder } = await propose({
    browser: { permissions: ["clipboard-read", "clipboard-write"], viewport: { width: 1440, height: 900 } },
    sendComments: async (id) => {
      sent.push(id);
      return undefined;
    },
  });
  await lineNumber(page, 2).click();
  await page.keyboard.type("Why?");
  await expect.poll(saved).toMatchObject([["proposed", 2, 2, "2", "Why?"]]);
  await button(page, "Reject and say why").click();
  await decided();
  recoverComments(proposal, "unreached");
  await page.getByText("Your comments are in the clipboard: paste them there.").first().waitFor();
  const message = `@${folder}/a.txt:2\n> 2\nWhy?`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(message);
  const waiting = page.getByRole("region", { name: /^Comments that wait/ });
  await waiting.getByText("The prompt of Qwen Code could not be reached.").waitFor();
  await waiting.getByRole("button", { name: "Put into the prompt" }).click();
  await page.getByText("No agent’s prompt can be reached").first().waitFor();
  expect(sent).toHaveLength(1);
  await waiting.getByRole("button", { name: "Discard" }).click();
  await waiting.getByRole("button", { name: "Discard for good" }).click();
  await waiting.waitFor({ state: "detached" });
});

test("on a narrow screen a comment fits, and so do the decisions", async () => {
  const { page } = await propose({ browser: { viewport: { width: 390, height: 844 } } });
  await page.keyboard.press("c");
  const box = page.getByRole("region", { name: "Comment on line 2" });
  await box.waitFor();
  await page.keyboard.type("Why?");
  await button(page, "Accept and ask for more").waitFor();
  for (const element of [box, button(page, "Accept and ask for more"), button(page, "Reject and say why")]) {
    const { x = 0, width = 0 } = (await element.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
  }
});
