import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { WebSocketRoute } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { accept, editorOf, typeInFirstLine } from "./page-harness.ts";

const { setUp } = useFixtures({ mayComplain: true });

test("an accepted text that the agent has not written is offered, and shown in the history", async () => {
  const { page, propose, frontend, recover } = await setUp({ files: { "a.txt": "a\n" } });
  const proposal = await propose("a.txt", "A\n");
  await typeInFirstLine(page, "a.txt", " mine");
  await accept(page);
  await editorOf(page, "a.txt").waitFor({ state: "detached" });
  frontend.onEvent({ kind: "file-checked", proposal, result: "not-written", wasEdited: false });
  recover(proposal, "A mine\n", "not-written");
  const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is saved" });
  await card.filter({ hasText: "Qwen Code did not write it to the file." }).waitFor();
  await page.getByText("accepted with your edits, not written to the file").waitFor();
  const list = page.getByRole("region", { name: /^Recovered edits/ });
  await list.getByRole("button", { name: /a\.txt/ }).click();
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
    await typeInFirstLine(page, "a.txt", "!");
    expect(await closeFromTerminal(proposal)).toBe("A!\n");
  });

  test("offers the user's own version, to compare, copy, download and discard", async () => {
    const { page, propose, closeFromTerminal } = await setUp({
      files: { "a.txt": "a\r\n" },
      browser: { permissions: ["clipboard-read", "clipboard-write"] },
    });
    const proposal = await propose("a.txt", "A\r\n");
    await typeInFirstLine(page, "a.txt", " mine");
    await closeFromTerminal(proposal);
    const card = page.getByRole("alert").filter({ hasText: "Your version of a.txt is saved" });
    await card.getByText("Qwen Code closed the change, as when you decide in its terminal.").waitFor();
    await card.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("textbox", { name: "a.txt after" }).getByText("A mine").waitFor();
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
  const reason = "session-ended";

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
    const list = page.getByRole("region", { name: /Recovered edits/ });
    expect(await list.getByRole("button", { name: /..txt Qwen Code · .+ · Qwen Code ended/ }).count()).toBe(
      3,
    );
    expect(await page.getByText("3 of your versions are saved").count()).toBe(0);
    await page.getByRole("button", { name: "Discard all …" }).click();
    await page.getByRole("button", { name: "Discard all 3 for good" }).click();
    await page.getByRole("heading", { name: /Recovered edits/ }).waitFor({ state: "detached" });
  });
});

test("the saved version of a file is offered when the agent proposes the file again", async () => {
  const { page, propose, recover, decisions } = await setUp({ files: { "a.txt": "one\n" } });
  recover(await propose("a.txt", "1\n"), "mine\n", "session-ended");
  await accept(page);
  await editorOf(page, "a.txt").waitFor({ state: "detached" });
  await propose("a.txt", "uno\n");
  await page.getByRole("button", { name: "Use it here" }).click();
  await editorOf(page, "a.txt").getByText("mine").waitFor();
  await page.getByRole("button", { name: "Undo my edits" }).waitFor();
  await accept(page);
  await expect.poll(() => decisions.at(-1)).toEqual({ kind: "accepted", content: "mine\n" });
});

describe("a change that is decided", () => {
  test("opens again: what was proposed, what was accepted, what is on disk", async () => {
    const { page, propose, write } = await setUp({ files: { "a.txt": "one\ntwo\n" } });
    await propose("a.txt", "1\ntwo\n");
    await typeInFirstLine(page, "a.txt", "!");
    await accept(page);
    await editorOf(page, "a.txt").waitFor({ state: "detached" });
    await write("a.txt", "1!\nthree\n");
    await page.getByTitle("Read this change again").click();
    const shown = page.getByRole("textbox", { name: "a.txt after" });
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
  await typeInFirstLine(page, "b.txt", "typi");
  await closeFromTerminal(second);
  await editorOf(page, "b.txt").waitFor({ state: "detached" });
  await page.keyboard.type("nnnx");
  await accept(page);
  await expect.poll(() => decisions).toEqual([{ kind: "accepted", content: "A\n" }]);
});

test("edits and comments typed while the connection is broken arrive when it is back", async () => {
  const { page, propose, comments, closeFromTerminal } = await setUp({ files: { "a.txt": "a\n" } });
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
  await typeInFirstLine(page, "a.txt", " first");
  isBroken = true;
  for (const link of links) await link.close();
  await page.getByText("Disconnected.").waitFor();
  await page.keyboard.type(" then");
  await page.keyboard.press("Alt+c");
  await page.keyboard.type("Why?");
  isBroken = false;
  await page.getByText("Disconnected.").waitFor({ state: "detached" });
  await expect.poll(() => comments.at(-1)).toMatchObject([{ text: "Why?" }]);
  expect(await closeFromTerminal(proposal)).toBe("A first then\n");
});
