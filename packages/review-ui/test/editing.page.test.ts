import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { accept, editorOf, typeInFirstLine } from "./page-harness.ts";

const { setUp, current } = useFixtures();

const undo = async (times: number) => {
  for (let count = 0; count < times; count += 1) await current().page.keyboard.press("Control+z");
};
const accepts = async (content: string) => {
  await accept(current().page);
  await expect.poll(() => current().decisions).toEqual([{ kind: "accepted", content }]);
};

test("typing goes on when the window becomes so narrow that the layout changes, and undo as well", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": "a\nb\nc\n" } });
  await propose("a.txt", "A\nb\nC\n");
  await editorOf(page, "a.txt").waitFor();
  await typeInFirstLine(page, "a.txt", " one");
  await page.setViewportSize({ width: 960, height: 900 });
  await page.locator(".diff-unified").waitFor();
  await page.keyboard.type(" nnn");
  await editorOf(page, "a.txt").getByText("A one nnn").waitFor();
  await undo(2);
  await accepts("A\nb\nC\n");
});

test("edits can be undone after lines are wrapped in another way or unfolded", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": "a\nb\nc\n" } });
  await propose("a.txt", "A\nb\nC\n");
  await editorOf(page, "a.txt").waitFor();
  await typeInFirstLine(page, "a.txt", " one");
  for (const key of ["Escape", "w", "e", "u", "i"]) await page.keyboard.press(key);
  await page.keyboard.type("!");
  await editorOf(page, "a.txt").getByText("A one!").waitFor();
  await undo(2);
  await accepts("A\nb\nC\n");
});

test("typing goes on when a text becomes so large that it would be compared apart", async () => {
  const before = "a line of the text\n".repeat(7890);
  const { page, propose, drafts } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", `${before}end\n`);
  await page.getByText("1 change", { exact: true }).waitFor();
  await page.keyboard.press("e");
  await typeInFirstLine(page, "a.txt", "");
  await page.keyboard.insertText("x".repeat(300));
  await page.getByText("2 changes", { exact: true }).waitFor();
  await page.keyboard.type("typed on");
  const firstLine = `a line of the text${"x".repeat(300)}typed on`;
  await expect.poll(() => drafts.at(-1)?.split("\n")[0]).toBe(firstLine);
});

test("keys typed while a large text is compared for another layout are no shortcuts", async () => {
  const before = "a line of the text\n".repeat(9000);
  const { page, propose, drafts } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", `${before}end\n`);
  await editorOf(page, "a.txt").waitFor();
  await page.keyboard.press("i");
  await page.keyboard.type("mine ");
  const release: (() => void)[] = [];
  await page.route("**/diff-worker-*.js", (route) => {
    release.push(() => void route.continue());
  });
  await page.setViewportSize({ width: 960, height: 900 });
  await page.getByText("Comparing").waitFor();
  await page.keyboard.type("nn");
  await expect.poll(() => release.length).toBe(1);
  for (const go of release) go();
  await page.locator(".diff-unified .cm-content:focus").waitFor();
  await page.keyboard.type("and more ");
  await expect.poll(() => drafts.at(-1)?.endsWith("\nmine and more end\n")).toBe(true);
});

test("a button of a change keeps the focus when it is pressed, and the head has it when the change is gone", async () => {
  const lines = (change: (line: number) => string) =>
    Array.from({ length: 30 }, (_, index) => `${change(index)}\n`).join("");
  const { page, propose } = await setUp({ files: { "a.txt": lines(String) } });
  await propose(
    "a.txt",
    lines((line) => (line % 10 === 5 ? `changed ${line}` : String(line))),
  );
  await page.getByRole("button", { name: "Mark change 2 as viewed" }).focus();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await page.keyboard.press("Enter");
  await page.getByText("1 of 3 changes viewed").waitFor();
  expect(await focused()).toBe("Mark change 2 as viewed");
  await page.keyboard.press("Enter");
  await page.getByText("3 changes", { exact: true }).waitFor();
  expect(await focused()).toBe("Mark change 2 as viewed");
  await page.keyboard.press("j");
  await page.locator(".hunk-current").getByText("Change 2 of 3").waitFor();
  expect(await focused()).toBe("Mark change 2 as viewed");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("2 changes", { exact: true }).waitFor();
  expect(await focused()).toBe("Decide on the change of a.txt");
});

test("pasting an image leaves the selected text as it is", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": "a\nb\nc\n" } });
  await propose("a.txt", "A\nb\nC\n");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await editorOf(page, "a.txt").focus();
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1, 1);
    canvas.getContext("2d");
    const image = await canvas.convertToBlob();
    await navigator.clipboard.write([new ClipboardItem({ "image/png": image })]);
  });
  for (const key of ["Control+a", "Control+v", "ArrowRight"]) await page.keyboard.press(key);
  await page.keyboard.type("D");
  await accepts("A\nb\nC\nD");
});

test("on a Mac, a letter that Option types is no command", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": "a\n" }, browser: { locale: "en-US" } });
  await page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
  await page.reload();
  await propose("a.txt", "A\n");
  await editorOf(page, "a.txt").focus();
  const press = (init: Readonly<Record<string, string | boolean>>) =>
    page.evaluate((keys) => {
      const event = new KeyboardEvent("keydown", { ...keys, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
      return event.defaultPrevented;
    }, init);
  // As a Polish keyboard has it.
  expect(await press({ key: "ć", code: "KeyC", altKey: true })).toBe(false);
  expect(await page.getByRole("textbox", { name: "Comment on line 1" }).count()).toBe(0);
  expect(await press({ key: "µ", code: "KeyM", altKey: true, metaKey: true })).toBe(true);
  await page.getByRole("textbox", { name: "Comment on line 1" }).waitFor();
});

test("what is typed at the end or the start goes there, although unchanged lines are folded away", async () => {
  const lines = (change: (line: number) => string) =>
    Array.from({ length: 60 }, (_, index) => `${change(index)}\n`).join("");
  const { page, propose, drafts } = await setUp({ files: { "a.txt": lines(String) } });
  const proposed = lines((line) => (line === 30 ? "changed" : String(line)));
  await propose("a.txt", proposed);
  for (const [layout, end, start] of [
    ["side-by-side", "", ""],
    ["unified", "end", "start"],
  ] as const) {
    await page.locator(`.diff-${layout}`).waitFor();
    await page
      .getByRole("button", { name: /unchanged lines$/ })
      .first()
      .waitFor();
    await page.keyboard.press("i");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("end");
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("start");
    await expect.poll(() => drafts.at(-1)).toBe(`start${start}${proposed}${end}end`);
    for (const key of ["Escape", "u", "e", "e"]) await page.keyboard.press(key);
  }
});

test("selecting all shows the folded lines that are selected", async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `${index}\n`).join("");
  const { page, propose } = await setUp({ files: { "a.txt": lines } });
  await propose("a.txt", `${lines}end\n`);
  await page
    .getByRole("button", { name: /unchanged lines$/ })
    .first()
    .waitFor();
  await page.keyboard.press("i");
  await page.keyboard.press("Control+a");
  await page
    .getByRole("button", { name: /unchanged lines$/ })
    .first()
    .waitFor({ state: "detached" });
});

test("Tab through the page changes no proposal, and indents after a click or i", async () => {
  const { page, propose, decisions, drafts } = await setUp({ files: { "a.txt": "a\nb\nc\n" } });
  await propose("a.txt", "A\nb\nC\n");
  await editorOf(page, "a.txt").waitFor();
  const reached = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "a.txt as proposed, editable");
  let times = 0;
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press("Tab");
    if (await reached()) times += 1;
  }
  expect(times).toBeGreaterThan(0);
  expect(drafts).toEqual([]);
  await page.keyboard.press("Escape");
  await editorOf(page, "a.txt").getByText("b", { exact: true }).click();
  await page.keyboard.press("Tab");
  await expect.poll(() => drafts.at(-1)).toBe("A\n  b\nC\n");
  await page.keyboard.press("Escape");
  await page.keyboard.press("i");
  await page.keyboard.press("Tab");
  await expect.poll(() => drafts.at(-1)).toBe("A\n    b\nC\n");
  expect(decisions).toEqual([]);
});
