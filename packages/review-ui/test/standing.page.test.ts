import { text } from "node:stream/consumers";
import type { Page, WebSocketRoute } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Bench, type BenchOptions, type Laboratory, openLaboratory } from "./laboratory.ts";

let laboratory: Laboratory;
let bench: Bench;
const setUp = async (options?: BenchOptions) => {
  bench = await laboratory.bench(options);
  return bench;
};
beforeAll(async () => {
  laboratory = await openLaboratory();
});
afterEach(() => bench.close());
afterAll(() => laboratory.close());

const editorOf = (page: Page, name: string) =>
  page.getByRole("textbox", { name: `${name} as proposed, editable` });
const accept = (page: Page) => page.getByRole("button", { name: "Accept", exact: true }).click();

/** Types at the end of the first line. */
async function type(page: Page, name: string, words: string): Promise<void> {
  await editorOf(page, name).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type(words);
}

test("an accepted text that the agent has never written is offered, and told in the journal", async () => {
  const { page, propose, door } = await setUp({ files: { "a.txt": "a\n" } });
  const proposal = await propose("a.txt", "A\n");
  await type(page, "a.txt", " mine");
  await accept(page);
  await editorOf(page, "a.txt").waitFor({ state: "detached" });
  door.onEvent({ kind: "edits-untaken", proposal, content: "A mine\n" });
  const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is kept" });
  await card.filter({ hasText: "accepted with your edits, but not written to the file" }).waitFor();
  await page.getByRole("button", { name: "Your version of a.txt is kept" }).click();
  await page.getByText("Qwen Code did not take it: accepted with your edits").waitFor();
});

describe("a proposal decided in the terminal", () => {
  test("closes in the page", async () => {
    const { page, propose, closeFromTerminal } = await setUp({ files: { "a.txt": "a\n" } });
    const proposal = await propose("a.txt", "A\n");
    await editorOf(page, "a.txt").waitFor();
    await closeFromTerminal(proposal);
    await editorOf(page, "a.txt").waitFor({ state: "detached" });
    await page.getByText("a.txt: decided in the terminal.").first().waitFor();
  });

  test("hands over what was typed a moment before", async () => {
    const { page, propose, closeFromTerminal } = await setUp({ files: { "a.txt": "a\n" } });
    const proposal = await propose("a.txt", "A\n");
    await type(page, "a.txt", "!");
    expect(await closeFromTerminal(proposal)).toBe("A!\n");
  });

  test("offers the user's own version, to compare, copy, download and discard", async () => {
    const { page, propose, closeFromTerminal } = await setUp({
      files: { "a.txt": "a\r\n" },
      browser: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    const proposal = await propose("a.txt", "A\r\n");
    await type(page, "a.txt", " mine");
    await closeFromTerminal(proposal);
    const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is kept" });
    await card.getByText("Qwen Code went on without your edits").waitFor();
    await card.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("textbox", { name: "a.txt as proposed" }).getByText("A mine").waitFor();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("is in the clipboard").first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(await text(await download.createReadStream())).toBe("A mine\r\n");
    expect(download.suggestedFilename()).toBe("a.txt");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByText("Your version").first().waitFor({ state: "detached" });
  });
});

test("keys typed into a diff that has just closed do nothing to another one", async () => {
  const { page, propose, closeFromTerminal, decisions } = await setUp({
    files: { "a.txt": "a\n", "b.txt": "b\n" },
  });
  await propose("a.txt", "A\n");
  await editorOf(page, "a.txt").waitFor();
  const second = await propose("b.txt", "B\n");
  await page.getByRole("button", { name: "Review it" }).click();
  await type(page, "b.txt", "typi");
  await closeFromTerminal(second);
  await editorOf(page, "b.txt").waitFor({ state: "detached" });
  await page.keyboard.type("nnnx");
  await accept(page);
  await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: "A\n" }]);
});

test("edits typed while the connection is broken arrive when it is back", async () => {
  const { page, propose, closeFromTerminal } = await setUp({ files: { "a.txt": "a\n" } });
  const links: WebSocketRoute[] = [];
  let isBroken = false;
  await page.routeWebSocket(/\/socket/, async (link) => {
    if (isBroken) return link.close();
    link.connectToServer();
    links.push(link);
  });
  await page.reload();
  const proposal = await propose("a.txt", "A\n");
  await editorOf(page, "a.txt").waitFor();
  await type(page, "a.txt", " first");
  isBroken = true;
  for (const link of links) await link.close();
  await page.getByText("Disconnected.").waitFor();
  await page.keyboard.type(" then");
  isBroken = false;
  await page.getByText("Disconnected.").waitFor({ state: "detached" });
  expect(await closeFromTerminal(proposal)).toBe("A first then\n");
});

describe("two pages", () => {
  test("show the same draft, and close together", async () => {
    const { page, propose, secondPage, decisions } = await setUp({ files: { "a.txt": "a\nb\n" } });
    await propose("a.txt", "A\nB\n");
    const second = await secondPage();
    await editorOf(second, "a.txt").waitFor();
    await page.bringToFront();
    await type(page, "a.txt", " one");
    await editorOf(second, "a.txt").getByText("A one", { exact: true }).waitFor();
    await second.bringToFront();
    await type(second, "a.txt", " two");
    await editorOf(page, "a.txt").getByText("A one two", { exact: true }).waitFor();
    await accept(second);
    await editorOf(page, "a.txt").waitFor({ state: "detached" });
    expect(decisions).toEqual([{ kind: "accepted", content: "A one two\nB\n" }]);
  });

  test("do not undo each other's edits", async () => {
    const { page, propose, secondPage } = await setUp({ files: { "a.txt": "a\nb\n" } });
    await propose("a.txt", "A\nB\n");
    const second = await secondPage();
    await editorOf(second, "a.txt").waitFor();
    await page.bringToFront();
    await type(page, "a.txt", "1");
    await editorOf(second, "a.txt").getByText("A1", { exact: true }).waitFor();
    await second.bringToFront();
    await editorOf(second, "a.txt").focus();
    await second.keyboard.press("Control+z");
    await second.keyboard.press("Control+End");
    await second.keyboard.type("end");
    await editorOf(page, "a.txt").getByText("end", { exact: true }).waitFor();
    expect(await editorOf(page, "a.txt").getByText("A1", { exact: true }).count()).toBe(1);
  });
});

describe("a page without its companion", () => {
  test("says so, comes back by itself, and tells the context again", async () => {
    const { page, stopDoor, startDoor, context } = await setUp({ files: { "a.txt": "a\n" } });
    await page.getByRole("treeitem", { name: "a.txt" }).click();
    await context(({ activePath }) => activePath !== undefined);
    await stopDoor();
    const banner = page.getByRole("alert").getByText("Disconnected.");
    await banner.waitFor();
    await startDoor();
    await banner.waitFor({ state: "detached" });
    expect(bench.door.pages).toBe(1);
    await expect.poll(async () => (await context(() => true)).activePath).toMatch(/a\.txt$/);
  });

  test("keeps the edits of a proposal that the new companion does not know", async () => {
    const { page, propose, stopDoor, startDoor } = await setUp({ files: { "a.txt": "a\n" } });
    await propose("a.txt", "A\n");
    await type(page, "a.txt", " before");
    await stopDoor();
    await page.getByText("Disconnected.").waitFor();
    await page.keyboard.type(" and after");
    expect(await page.getByRole("button", { name: "Accept", exact: true }).isDisabled()).toBe(true);
    await startDoor();
    const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is kept" });
    await card.getByRole("button", { name: "Compare" }).click();
    await page.getByText("A before and after", { exact: true }).waitFor();
  });

  test("explains itself when it is not let in any more", async () => {
    const { page, stopDoor, startDoor } = await setUp();
    await page.context().clearCookies();
    await stopDoor();
    await startDoor();
    await page.getByRole("heading", { name: "This page needs a new link" }).waitFor();
  });
});
