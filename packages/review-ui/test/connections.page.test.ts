import type { Page, WebSocketRoute } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { accept, decidable, editorOf, typeInFirstLine } from "./page-harness.ts";

const { setUp, current } = useFixtures({ mayComplain: true });

describe("two pages", () => {
  test("are both typed in, show the same draft, and close together", async () => {
    const { page, propose, secondPage, decisions } = await setUp({ files: { "a.txt": "a\nb\n" } });
    await propose("a.txt", "A\nB\n");
    const second = await secondPage();
    await editorOf(second, "a.txt").waitFor();
    await page.bringToFront();
    await typeInFirstLine(page, "a.txt", " one");
    await editorOf(second, "a.txt").getByText("A one", { exact: true }).waitFor();
    await second.bringToFront();
    await typeInFirstLine(second, "a.txt", " two");
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
    await typeInFirstLine(page, "a.txt", "1");
    await editorOf(second, "a.txt").getByText("A1", { exact: true }).waitFor();
    await second.bringToFront();
    await editorOf(second, "a.txt").focus();
    await second.keyboard.press("Control+z");
    await second.keyboard.press("Control+End");
    await second.keyboard.type("end");
    await editorOf(page, "a.txt").getByText("end", { exact: true }).waitFor();
    expect(await editorOf(page, "a.txt").getByText("A1", { exact: true }).count()).toBe(1);
  });

  test("edited at the same time keep what is typed in both", async () => {
    const { page, propose, secondPage, drafts } = await setUp({ files: { "a.txt": "a\nb\n" } });
    await propose("a.txt", "A\nB\n");
    const second = await secondPage();
    // The second page hears of the first one's edit only when its user has typed.
    let isHolding = false;
    const held: (() => void)[] = [];
    await second.routeWebSocket(/\/socket/, (link) => {
      const server = link.connectToServer();
      link.onMessage((message) => server.send(message));
      server.onMessage((message) => (isHolding ? held.push(() => link.send(message)) : link.send(message)));
    });
    await second.reload();
    await editorOf(second, "a.txt").waitFor();
    isHolding = true;
    await typeInFirstLine(page, "a.txt", " one");
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await typeInFirstLine(second, "a.txt", " two");
    isHolding = false;
    for (const send of held) send();
    for (const each of [page, second])
      await editorOf(each, "a.txt")
        .getByText(/^A( one two| two one)$/)
        .waitFor();
    expect(drafts.at(-1)).toMatch(/^A( one two| two one)\nB\n$/);
  });
});

/** The page's socket breaks when the test says so, and stays broken as long. */
async function breakable(page: Page) {
  let isBroken: (message?: string) => boolean = () => false;
  const links = new Set<WebSocketRoute>();
  await page.routeWebSocket(/\/socket/, (link) => {
    if (isBroken()) return void link.close();
    links.add(link);
    const server = link.connectToServer();
    link.onMessage((message) => (isBroken(String(message)) ? link.close() : server.send(message)));
    server.onMessage((message) => link.send(message));
  });
  await page.reload();
  return {
    breakNow: async () => {
      isBroken = () => true;
      for (const link of links) await link.close();
    },
    /** Resolves when it breaks: at a message with these words, which does not arrive. */
    breakAt: (words: string) =>
      new Promise<void>((resolve) => {
        isBroken = (message) => {
          const isBreaking = message?.includes(words) ?? false;
          if (isBreaking) resolve();
          return isBreaking;
        };
      }),
    restore: () => {
      isBroken = () => false;
    },
  };
}

test("a duplicated tab is another page: what was typed in it is kept with what the first one has typed in a break", async () => {
  const { page, propose, drafts } = await setUp({ files: { "a.txt": "a\n" } });
  const link = await breakable(page);
  await propose("a.txt", "A\n");
  await editorOf(page, "a.txt").waitFor();
  const opened = page.context().waitForEvent("page");
  await page.evaluate(() => void window.open(location.href)); // with a copy of its storage
  const copy = await opened;
  await editorOf(copy, "a.txt").waitFor();
  await page.bringToFront();
  await typeInFirstLine(page, "a.txt", " one");
  await editorOf(copy, "a.txt").getByText("A one", { exact: true }).waitFor();
  await link.breakNow();
  await page.getByText("Disconnected.").waitFor();
  await page.keyboard.type(" offline");
  await copy.bringToFront();
  await typeInFirstLine(copy, "a.txt", " two");
  await expect.poll(() => drafts.at(-1)).toBe("A one two\n");
  await copy.close();
  link.restore();
  // It connects again after a while.
  await editorOf(page, "a.txt")
    .getByText(/^A one( two offline| offline two)$/)
    .waitFor();
  await expect.poll(() => drafts.at(-1)).toMatch(/^A one( two offline| offline two)\n$/);
});

test("a proposal whose decision is lost with the connection waits again, and keys for it decide no other one", async () => {
  const { page, propose, decisions, closeFromTerminal } = await setUp({ files: { "a.txt": "a\n" } });
  const link = await breakable(page);
  const first = await propose("a.txt", "A\n");
  await decidable(page);
  await propose("b.txt", "B\n");
  await page.getByText("b.txt").first().waitFor();
  const broken = link.breakAt('"diffAccepted"');
  await accept(page);
  await broken;
  link.restore();
  await decidable(page);
  await editorOf(page, "a.txt").focus();
  await closeFromTerminal(first);
  await editorOf(page, "a.txt").waitFor({ state: "detached" });
  await page.keyboard.press("x");
  await page.getByRole("region", { name: "Waiting" }).getByRole("button", { name: "b.txt" }).click();
  await decidable(page);
  await accept(page);
  await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: "B\n" }]);
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
    expect(current().frontend.pages).toBe(1);
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
    await typeInFirstLine(page, "a.txt", " typed meanwhile");
    isHanging = false;
    for (const send of held.splice(0)) send();
    await banner.waitFor({ state: "detached" });
    await accept(page);
    await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: "A typed meanwhile\n" }]);
  });

  test("recovers the edits of a proposal that the new companion does not know", async () => {
    const { page, propose, stopFrontend, startFrontend } = await setUp({ files: { "a.txt": "a\n" } });
    await propose("a.txt", "A\n");
    await typeInFirstLine(page, "a.txt", " before");
    await stopFrontend();
    await page.getByText("Disconnected.").waitFor();
    await page.keyboard.type(" and after");
    expect(await page.getByRole("button", { name: "Accept", exact: true }).isDisabled()).toBe(true);
    await startFrontend();
    const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is saved" });
    await card.getByRole("button", { name: "Compare" }).click();
    await page.getByText("A before and after", { exact: true }).waitFor();
  });

  test("keeps the comments on a proposal that the new companion does not know, once", async () => {
    const { page, propose, comments, stopFrontend, startFrontend } = await setUp({
      files: { "a.txt": "a\n" },
    });
    await propose("a.txt", "A\n");
    await editorOf(page, "a.txt").waitFor();
    await page.keyboard.press("c");
    await page.keyboard.type("before");
    await expect.poll(() => comments.at(-1)).toMatchObject([{ text: "before" }]);
    await stopFrontend();
    await page.getByText("Disconnected.").waitFor();
    await page.keyboard.type(" and after");
    await startFrontend();
    const waiting = page.getByRole("region", { name: /^Comments that wait/ });
    await waiting.getByText("before and after").waitFor();
    expect(await waiting.getByRole("listitem").count()).toBe(1);
  });

  test("explains that it has lost access", async () => {
    const { page, stopFrontend, startFrontend } = await setUp();
    await page.context().clearCookies();
    await stopFrontend();
    await startFrontend();
    await page.getByRole("heading", { name: "This page needs a new link" }).waitFor();
  });
});
