import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Page, WebSocketRoute } from "playwright-core";
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
afterEach(() => fixture.close());
afterAll(() => harness.close());

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

test("an accepted text that the agent has not written is offered, and shown in the history", async () => {
  const { page, propose, frontend, recover } = await setUp({ files: { "a.txt": "a\n" } });
  const proposal = await propose("a.txt", "A\n");
  await type(page, "a.txt", " mine");
  await accept(page);
  await editorOf(page, "a.txt").waitFor({ state: "detached" });
  frontend.onEvent({ kind: "file-checked", proposal, result: "not-written" });
  recover(proposal, "A mine\n", "You accepted the change, and Qwen Code did not write it to the file.");
  const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is saved" });
  await card.filter({ hasText: "Qwen Code did not write it to the file." }).waitFor();
  await page.getByText("accepted with your edits, not written to the file").waitFor();
  await page.getByRole("button", { name: "Your version of a.txt is saved" }).click();
  await page
    .getByText("You accepted the change, and Qwen Code did not write it to the file.")
    .last()
    .waitFor();
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

  test("sends what was typed a moment before", async () => {
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
    const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is saved" });
    await card.getByText("Qwen Code did not write your text.").waitFor();
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
    await page.getByRole("button", { name: "Discard for good" }).click();
    await page.getByText("Your version").first().waitFor({ state: "detached" });
  });
});

describe("recovered edits", () => {
  const reason = "Qwen Code ended before you decided.";

  test("are restored into the file as they are shown, in its line endings", async () => {
    const { page, folder, propose, recover } = await setUp({ files: { "a.txt": "\ufeffone\r\ntwo\r\n" } });
    recover(await propose("a.txt", "one\n2\n"), "one\nmine\n", reason);
    await page.getByRole("alert").getByRole("button", { name: "Compare" }).click();
    await page.getByText("mine", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Restore into the file" }).click();
    await page.getByText("a.txt contains your version now.").first().waitFor();
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("\ufeffone\r\nmine\r\n");
    await page.getByRole("heading", { name: /Recovered edits/ }).waitFor({ state: "detached" });
  });

  test("do not overwrite a file that the user has not seen", async () => {
    const { page, folder, propose, recover, write } = await setUp({ files: { "a.txt": "one\n" } });
    recover(await propose("a.txt", "1\n"), "mine\n", reason);
    await page.getByRole("alert").getByRole("button", { name: "Compare" }).click();
    await page.getByText("mine", { exact: true }).waitFor();
    await write("a.txt", "changed meanwhile\n");
    await page.getByRole("button", { name: "Restore into the file" }).click();
    await page.getByText("The file has changed since you looked at it.").waitFor();
    await page.getByText("changed meanwhile").waitFor();
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("changed meanwhile\n");
    await page.getByRole("button", { name: "Restore into the file" }).click();
    await page.getByText("a.txt contains your version now.").first().waitFor();
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("mine\n");
  });

  test("are one notice, and a list that a new page also shows", async () => {
    const { page, propose, recover } = await setUp({ files: { "a.txt": "one\n" } });
    for (const name of ["a.txt", "b.txt", "c.txt"]) recover(await propose(name, "1\n"), "mine\n", reason);
    await page.getByText("3 of your versions are saved").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: /Recovered edits/ }).waitFor();
    expect(await page.getByRole("button", { name: /^Your version of ..txt is saved/ }).count()).toBe(3);
  });
});

describe("a change that is decided", () => {
  test("opens again: what was proposed, what was accepted, what is on disk", async () => {
    const { page, propose, write } = await setUp({ files: { "a.txt": "one\ntwo\n" } });
    await propose("a.txt", "1\ntwo\n");
    await type(page, "a.txt", "!");
    await accept(page);
    await editorOf(page, "a.txt").waitFor({ state: "detached" });
    await write("a.txt", "1!\nthree\n");
    await page.getByTitle("Read this change again").click();
    const shown = page.getByRole("textbox", { name: "a.txt as proposed" });
    await shown.getByText("1", { exact: true }).waitFor();
    const tops = await page
      .locator(".cm-line", { hasText: "two" })
      .evaluateAll((lines) => lines.map((line) => Math.round(line.getBoundingClientRect().top)));
    expect(new Set(tops).size, JSON.stringify(tops)).toBe(1);
    await page.getByRole("button", { name: "Your version", exact: true }).click();
    await shown.getByText("1!", { exact: true }).waitFor();
    await page.getByRole("button", { name: "On disk now" }).click();
    await shown.getByText("three", { exact: true }).waitFor();
    await page.getByRole("tab", { name: /past/ }).waitFor();
  });
});

test("keys typed into a diff that has just closed do not affect another one", async () => {
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
  const takeOver = (page: Page) => page.getByRole("button", { name: "Edit here" }).click();

  test("show the same draft, one of them edits it, and they close together", async () => {
    const { page, propose, secondPage, decisions } = await setUp({ files: { "a.txt": "a\nb\n" } });
    await propose("a.txt", "A\nB\n");
    const second = await secondPage();
    await editorOf(second, "a.txt").waitFor();
    await page.bringToFront();
    await type(page, "a.txt", " one");
    await editorOf(second, "a.txt").getByText("A one", { exact: true }).waitFor();
    await second.bringToFront();
    await second.getByText("Being edited in another tab.").waitFor();
    await type(second, "a.txt", " ignored");
    await takeOver(second);
    await page.getByText("Being edited in another tab.").waitFor();
    await second.getByText("Being edited in another tab.").waitFor({ state: "detached" });
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
    await takeOver(second);
    await page.getByText("Being edited in another tab.").waitFor();
    await editorOf(second, "a.txt").focus();
    await second.keyboard.press("Control+z");
    await second.keyboard.press("Control+End");
    await second.keyboard.type("end");
    await editorOf(page, "a.txt").getByText("end", { exact: true }).waitFor();
    expect(await editorOf(page, "a.txt").getByText("A1", { exact: true }).count()).toBe(1);
  });

  test("edited at the same time lose no text: one is the draft, the other is offered", async () => {
    const { page, propose, secondPage } = await setUp({ files: { "a.txt": "a\nb\n" } });
    await propose("a.txt", "A\nB\n");
    const second = await secondPage();
    await editorOf(second, "a.txt").waitFor();
    await Promise.all([type(page, "a.txt", " one"), type(second, "a.txt", " two")]);
    const cards = [page, second].map((one) =>
      one.getByRole("alert").filter({ hasText: "the change was being edited in another tab" }),
    );
    await Promise.race(cards.map((card) => card.waitFor()));
    const [first, other] = await Promise.all(
      [page, second].map((one) => editorOf(one, "a.txt").textContent()),
    );
    expect(first).toBe(other);
    await Promise.race(cards.map((card) => card.getByRole("button", { name: "Compare" }).click()));
    const lost = first?.includes("one") ? "A two" : "A one";
    const loser = first?.includes("one") ? second : page;
    await loser.getByText(lost, { exact: true }).waitFor();
  });
});

describe("a page without its companion", () => {
  test("shows that, reconnects, and sends the context again", async () => {
    const { page, stopFrontend, startFrontend, context } = await setUp({ files: { "a.txt": "a\n" } });
    await page.getByRole("treeitem", { name: "a.txt" }).click();
    await context(({ activePath }) => activePath !== undefined);
    await stopFrontend();
    const banner = page.getByRole("alert").getByText("Disconnected.");
    await banner.waitFor();
    await startFrontend();
    await banner.waitFor({ state: "detached" });
    expect(fixture.frontend.pages).toBe(1);
    await expect.poll(async () => (await context(() => true)).activePath).toMatch(/a\.txt$/);
  });

  test("that was killed shows what to do when an agent still waits", async () => {
    const { page, propose, stopFrontend } = await setUp({ files: { "a.txt": "a\n" } });
    await propose("a.txt", "A\n", "Gemini CLI");
    await editorOf(page, "a.txt").waitFor();
    await stopFrontend();
    await page.getByText("If Gemini CLI still waits for this review, press Ctrl+C once").waitFor();
  });

  test("that hangs is noticed within five seconds, and so is that it answers again", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\n" } });
    let isHanging = false;
    const held: (() => void)[] = [];
    const pass = (send: () => void) => (isHanging ? held.push(send) : send());
    await page.routeWebSocket(/\/socket/, (link) => {
      const server = link.connectToServer();
      link.onMessage((message) => pass(() => server.send(message)));
      server.onMessage((message) => pass(() => link.send(message)));
    });
    await page.reload();
    await propose("a.txt", "A\n");
    await editorOf(page, "a.txt").waitFor();
    isHanging = true;
    const banner = page.getByRole("alert").getByText("The companion does not answer.");
    await banner.waitFor({ timeout: 5500 });
    expect(await page.getByRole("button", { name: "Accept", exact: true }).isDisabled()).toBe(true);
    await type(page, "a.txt", " typed meanwhile");
    isHanging = false;
    for (const send of held.splice(0)) send();
    await banner.waitFor({ state: "detached" });
    await accept(page);
    await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: "A typed meanwhile\n" }]);
  });

  test("recovers the edits of a proposal that the new companion does not know", async () => {
    const { page, propose, stopFrontend, startFrontend } = await setUp({ files: { "a.txt": "a\n" } });
    await propose("a.txt", "A\n");
    await type(page, "a.txt", " before");
    await stopFrontend();
    await page.getByText("Disconnected.").waitFor();
    await page.keyboard.type(" and after");
    expect(await page.getByRole("button", { name: "Accept", exact: true }).isDisabled()).toBe(true);
    await startFrontend();
    const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is saved" });
    await card.getByRole("button", { name: "Compare" }).click();
    await page.getByText("A before and after", { exact: true }).waitFor();
  });

  test("explains that it has lost access", async () => {
    const { page, stopFrontend, startFrontend } = await setUp();
    await page.context().clearCookies();
    await stopFrontend();
    await startFrontend();
    await page.getByRole("heading", { name: "This page needs a new link" }).waitFor();
  });
});
