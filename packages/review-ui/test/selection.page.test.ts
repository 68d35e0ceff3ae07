import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import type { Companion } from "../../companion/src/companion.ts";
import { useFixtures } from "./fixtures.ts";
import type { FixtureOptions } from "./page-harness.ts";

const { setUp } = useFixtures({ mayComplain: true });

const files = { "a.txt": "one two three four\nsecond\nthird\n" };

/** How far the background of the selection is from that of its line, of 765. */
async function visibility(page: Page): Promise<number> {
  const positions = await page.evaluate(() => {
    const range = document.getSelection()?.getRangeAt(0).getBoundingClientRect();
    const y = Math.round((range?.top ?? 0) + 1);
    return { y, inside: Math.round((range?.left ?? 0) + 2), outside: Math.round((range?.right ?? 0) + 60) };
  });
  const picture = (await page.screenshot()).toString("base64");
  return page.evaluate(
    async ({ picture, y, inside, outside }) => {
      const bytes = Uint8Array.from(atob(picture), (one) => one.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      const colour = (x: number) => [...(context?.getImageData(x, y, 1, 1).data ?? [])];
      const other = colour(outside);
      return colour(inside).reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0);
    },
    { picture, ...positions },
  );
}

const appearances: Readonly<Record<string, FixtureOptions["browser"]>> = {
  "the light theme": { colorScheme: "light" },
  "the dark theme": { colorScheme: "dark" },
  "forced colours": { forcedColors: "active" },
};
for (const [name, browser] of Object.entries(appearances)) {
  test(`a selection is visible on the cursor's line and on a changed line in ${name}`, async () => {
    const fixture = await setUp({ files, browser: browser ?? {} });
    const { page, propose } = fixture;
    await page.getByRole("treeitem", { name: "a.txt" }).click();
    await page.getByRole("textbox", { name: "a.txt, read only" }).focus();
    await page.keyboard.press("Control+Home");
    for (let step = 0; step < 7; step += 1) await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => visibility(page)).toBeGreaterThan(30);
    await propose("a.txt", "one two three four\nsecond\nthird and more\n");
    await page.getByRole("tab", { name: "± a.txt" }).click();
    const editor = page.getByRole("textbox", { name: "a.txt as proposed, editable" });
    await editor.waitFor();
    await page.keyboard.press("i");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    for (let step = 0; step < 10; step += 1) await page.keyboard.press("Shift+ArrowRight");
    await expect.poll(() => visibility(page)).toBeGreaterThan(30);
  });
}

test("a file or a folder of the tree is sent to an agent, by a key or by the mouse", async () => {
  const send = vi.fn<Companion["send"]>(async () => ({ kind: "sent", agent: "An Agent" }));
  const { page, frontend, session, folder } = await setUp({
    files: { "a.txt": "one\n", "sub/b.txt": "" },
    send,
  });
  const row = (name: string) => page.getByRole("treeitem", { name });
  await row("a.txt").hover();
  expect(await page.getByTitle("Send to agent").count()).toBe(0); // nobody is connected
  frontend.onEvent({ kind: "session-opened", session });
  await row("a.txt").getByTitle("Send to agent").click();
  await expect.poll(() => send.mock.lastCall?.[0]).toEqual({ mentions: [{ path: join(folder, "a.txt") }] });
  expect(await page.getByRole("tab").count()).toBe(0); // nothing is opened
  await page.getByRole("tree").focus();
  for (const key of ["Home", "ArrowDown", "s"]) await page.keyboard.press(key);
  await expect.poll(() => send.mock.lastCall?.[0]).toEqual({ mentions: [{ path: join(folder, "sub") }] });
  await page.getByText("The prompt of An Agent has the reference.").first().waitFor();
  // In a file, the key sends what is selected there.
  await row("a.txt").click();
  await page.getByRole("textbox", { name: "a.txt, read only" }).waitFor();
  await page.getByRole("tab").focus();
  await page.keyboard.press("s");
  await expect.poll(() => send.mock.lastCall?.[0]).toEqual({ mentions: [{ path: join(folder, "a.txt") }] });
  expect(send).toHaveBeenCalledTimes(3);
});

test("several files of the tree are marked and sent together, by keys or by the mouse", async () => {
  const send = vi.fn<Companion["send"]>(async () => ({ kind: "sent", agent: "An Agent" }));
  const { page, frontend, session, folder } = await setUp({
    files: { "a.txt": "", "b.txt": "", "c.txt": "", "d.txt": "" },
    send,
  });
  frontend.onEvent({ kind: "session-opened", session });
  const row = (name: string) => page.getByRole("treeitem", { name });
  const sent = (...names: readonly string[]) =>
    expect
      .poll(() => send.mock.lastCall?.[0])
      .toEqual({ mentions: names.map((name) => ({ path: join(folder, name) })) });
  await row("d.txt").click({ modifiers: ["Control"] });
  await row("a.txt").click({ modifiers: ["Control"] });
  await row("c.txt").click({ modifiers: ["Control"] });
  await row("c.txt").click({ modifiers: ["Control"] });
  expect(await page.getByRole("treeitem", { selected: true }).count()).toBe(2);
  expect(await page.getByRole("tab").count()).toBe(0); // nothing is opened
  await row("a.txt").hover();
  await row("a.txt").getByTitle("Send to agent").click();
  await sent("d.txt", "a.txt");
  expect(await page.getByRole("treeitem", { selected: true }).count()).toBe(0);
  await page.getByRole("tree").focus();
  for (const key of ["Home", "ArrowDown", "v", "ArrowDown", "Shift+ArrowDown", "s"])
    await page.keyboard.press(key);
  await sent("a.txt", "b.txt", "c.txt");
});

test("a text is put into an agent's prompt, and stays where none can be reached", async () => {
  const send = vi.fn<Companion["send"]>(async () => ({ kind: "sent", agent: "An Agent" }));
  const { page, frontend, session } = await setUp({ files, send });
  const field = page.getByRole("textbox", { name: "A text for the agent’s prompt" });
  expect(await field.count()).toBe(0); // nobody is connected
  frontend.onEvent({ kind: "session-opened", session });
  await field.fill("Use tabs.\nEverywhere.");
  await page.getByRole("button", { name: "Put into the prompt" }).click();
  await page.getByText("The prompt of An Agent has it: press Enter there to send it.").first().waitFor();
  expect(send).toHaveBeenLastCalledWith({ mentions: [], text: "Use tabs.\nEverywhere." }, { mayType: true });
  expect(await field.inputValue()).toBe("");
  send.mockResolvedValue({ kind: "unreached" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await field.fill("And now?");
  await field.press("Control+Enter");
  await page.getByText("No agent’s prompt can be reached. It is on the clipboard").first().waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("And now? ");
  await page.context().clearPermissions();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  });
  await field.fill("Once more");
  await field.press("Control+Enter");
  await page
    .getByText("No agent’s prompt can be reached: your text is in the field again.")
    .first()
    .waitFor();
  expect(await field.inputValue()).toBe("Once more");
});

test("a text for a prompt outlasts the last agent, the panel and a reload, and comes back where nobody has it", async () => {
  const send = vi.fn<Companion["send"]>(async () => ({ kind: "paused" }));
  const { page, frontend, session } = await setUp({ files, send });
  const field = page.getByRole("textbox", { name: "A text for the agent’s prompt" });
  frontend.onEvent({ kind: "session-opened", session });
  await field.click();
  await page.keyboard.type("Use ");
  frontend.onEvent({ kind: "session-closed", session, reason: "it has ended" });
  await page.getByText("No CLI is connected.").waitFor();
  await page.keyboard.type("tabs.");
  await page.getByRole("button", { name: "Hide the companion" }).click();
  await page.getByRole("button", { name: "Show the companion" }).click();
  expect(await field.inputValue()).toBe("Use tabs.");
  await page.reload();
  expect(await field.inputValue()).toBe("Use tabs.");
  await field.press("Control+Enter");
  await page.getByText("Sharing is paused: the agents receive no files.").first().waitFor();
  expect(await field.inputValue()).toBe("Use tabs.");
});

test("a selection is reported with its range, and sent to an agent as a reference", async () => {
  const send = vi.fn<Companion["send"]>(async () => ({ kind: "unreached" }));
  const fixture = await setUp({ files: { "a.txt": "one\n😀 two\nthree\n" }, send });
  const { page, frontend, session, folder } = fixture;
  const path = join(folder, "a.txt");
  await page.getByRole("treeitem", { name: "a.txt" }).click();
  const editor = page.getByRole("textbox", { name: "a.txt, read only" });
  await editor.waitFor();
  const button = page.getByRole("button", { name: "Send to agent" });
  expect(await button.count()).toBe(0); // nobody is connected
  frontend.onEvent({ kind: "session-opened", session });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await button.click();
  await page.getByText("No agent’s prompt can be reached. It is on the clipboard").first().waitFor();
  expect(send).toHaveBeenLastCalledWith({ mentions: [{ path }] }, { mayType: true });
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("@a.txt ");
  send.mockResolvedValue({ kind: "excluded", path });
  await button.click();
  await page.getByText("a.txt is kept from agents, and was not sent.").first().waitFor();

  await editor.focus();
  // Backwards, from the start of the third line to behind the emoji.
  for (const key of ["Control+Home", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("Shift+ArrowLeft");
  const { files } = await fixture.context((context) => context.files[0]?.selectedText === " two\n");
  const selection = { start: { line: 2, character: 3 }, end: { line: 3, character: 1 } };
  expect(files[0]).toMatchObject({ selection, cursor: selection.start });
  send.mockResolvedValue({ kind: "sent", agent: "An Agent" });
  await button.click();
  await page.getByText("The prompt of An Agent has the reference.").first().waitFor();
  expect(send).toHaveBeenLastCalledWith(
    { mentions: [{ path, lines: { first: 2, last: 2 } }] },
    { mayType: true },
  );
});

test("a selection stays on its lines when the file changes on disk, and agents hear of what is shown", async () => {
  const text = (change: (line: number) => string) =>
    Array.from({ length: 40 }, (_, index) => `${change(index + 1)}\n`).join("");
  const { page, write, context } = await setUp({ files: { "a.txt": text((line) => `line ${line}`) } });
  await page.getByRole("treeitem", { name: "a.txt" }).click();
  await page.getByRole("textbox", { name: "a.txt, read only" }).focus();
  await page.keyboard.press("Control+Home");
  for (let step = 0; step < 14; step += 1) await page.keyboard.press("ArrowDown");
  for (let step = 0; step < 2; step += 1) await page.keyboard.press("Shift+ArrowDown");
  const selected = "line 15\nline 16\n";
  await context(({ files: [file] }) => file?.selectedText === selected);
  await write(
    "a.txt",
    `new\n${text((line) => (line === 5 || line === 28 ? `changed ${line}` : `line ${line}`))}`,
  );
  await page.getByText("changed 28").waitFor();
  const {
    files: [file],
  } = await context(({ files: [one] }) => one?.cursor?.line === 18);
  expect(file?.selectedText).toBe(selected);
  await expect
    .poll(() => page.evaluate(() => document.getSelection()?.toString().trim()))
    .toBe(selected.trim());
});
