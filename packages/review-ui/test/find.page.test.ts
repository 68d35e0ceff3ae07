import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";
import { decidable } from "./page-harness.ts";

const { setUp } = useFixtures();

const lines = Array.from({ length: 2000 }, (_, index) => `line ${index + 1}\n`);
const before = lines.with(9, "needle on disk\n").with(1500, "needle (far) away\n").join("");
const after = before.replace("needle on disk", "thread").replace("line 1990\n", "a Needle proposed\n");

test("Ctrl+F finds what both sides have once, and removed lines, wherever the focus is", async () => {
  const fixture = await setUp({ files: { "a.txt": before } });
  const { page, propose } = fixture;
  await propose("a.txt", after);
  await page.getByText("2 changes", { exact: true }).waitFor();
  await decidable(page);
  await page.getByRole("button", { name: "Accept", exact: true }).focus();
  await page.keyboard.press("Control+f");
  await page.getByRole("textbox", { name: "Find", exact: true }).waitFor();
  await page.keyboard.type("needle");
  const count = page.locator(".find-count");
  const current = page.locator(".cm-searchMatch-selected");
  // On disk alone, in a folded line that both sides have, and proposed.
  await expect.poll(() => count.textContent()).toMatch(/of 3$/);
  const seen: string[] = [];
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press("Enter");
    await current.waitFor();
    const side =
      (await page.locator(".cm-merge-a .cm-searchMatch-selected").count()) === 1 ? "disk" : "draft";
    seen.push(`${await count.textContent()} ${side} ${await current.locator("xpath=..").textContent()}`);
  }
  expect(seen.sort()).toEqual([
    "1 of 3 disk needle on disk",
    "2 of 3 draft needle (far) away",
    "3 of 3 draft a Needle proposed",
  ]);
  await page.keyboard.press("Shift+Enter");
  await page.getByRole("button", { name: "match case" }).click();
  await expect.poll(() => count.textContent()).toMatch(/of 2$/);
  await page.getByRole("textbox", { name: "Find", exact: true }).fill("(FAR)");
  await expect.poll(() => count.textContent()).toBe("No match");
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Find", exact: true }).waitFor({ state: "detached" });
  expect(await page.locator(".cm-searchMatch").count()).toBe(0);
});

test("Ctrl+F finds and marks removed lines in the unified view", async () => {
  const fixture = await setUp({ files: { "a.txt": before } });
  const { page, propose } = fixture;
  await propose("a.txt", after);
  await page.getByText("2 changes", { exact: true }).waitFor();
  await page.keyboard.press("u");
  await page.locator(".diff-unified").waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("needle");
  await expect.poll(() => page.locator(".find-count").textContent()).toMatch(/of 3$/);
  const marked = () => page.evaluate(() => [...(CSS.highlights.get("removed-match") ?? [])].map(String));
  await expect.poll(marked).toEqual(["needle"]);
  await page.keyboard.press("Escape");
  await expect.poll(marked).toEqual([]);
});

test.each(["side-by-side", "unified"])(
  "closing a search leads back to the change, with its folds, %s",
  async (layout) => {
    const { page, propose } = await setUp({ files: { "a.txt": before } });
    await propose("a.txt", after);
    await page.getByText("2 changes", { exact: true }).waitFor();
    await decidable(page);
    if (layout === "unified") await page.keyboard.press("u");
    await page.locator(`.diff-${layout}`).waitFor();
    const folds = page.getByRole("button", { name: /unchanged lines$/ });
    const folded = async () => [...new Set(await folds.allTextContents())];
    await page.keyboard.press("j");
    const change = page.locator(".cm-merge-b .cm-changedLine");
    const place = async () => Math.round((await change.last().boundingBox())?.y ?? 0);
    const [atFirst, there] = [await folded(), await place()];
    await page.keyboard.press("Control+f");
    await page.keyboard.type("(far)");
    await page.locator(".cm-searchMatch-selected").waitFor();
    expect(await page.locator(".cm-merge-b .cm-line").count()).toBeLessThan(80);
    await page.keyboard.press("Escape");
    await expect.poll(folded).toEqual(atFirst);
    await expect.poll(async () => Math.abs((await place()) - there)).toBeLessThan(25);
    expect(await page.locator(".diff-progress").textContent()).toBe("2 changes");
    await page.locator(".cm-content:focus").waitFor();
  },
);

test("what is typed where a search has opened a fold goes there, also after the next match", async () => {
  const { page, propose, drafts } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", after);
  await page.getByText("2 changes", { exact: true }).waitFor();
  await decidable(page);
  await page.keyboard.press("Control+f");
  await page.keyboard.type("needle");
  const far = page.locator(".cm-searchMatch-selected", { hasText: "needle" });
  await expect
    .poll(async () => {
      await page.keyboard.press("Enter");
      return far.locator("xpath=..").textContent();
    })
    .toContain("(far)");
  await far.click();
  await page.keyboard.press("End");
  for (const key of ["F3", "!", "F3", "?"]) await page.keyboard.press(key);
  await expect.poll(() => drafts.at(-1)).toBe(after.replace("(far) away", "(far) away!?"));
  expect(await page.locator(".cm-merge-b .cm-line", { hasText: "(far) away!?" }).count()).toBe(1);
});

test("Ctrl+F in a file goes to a match, Escape puts the cursor there", async () => {
  const fixture = await setUp({ files: { "a.txt": before } });
  const { page, context } = fixture;
  await page.getByRole("treeitem", { name: "a.txt" }).click();
  await page.getByRole("textbox", { name: "a.txt, read only" }).waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("(far)");
  await expect.poll(() => page.locator(".find-count").textContent()).toBe("1 of 1");
  await page.locator(".cm-searchMatch-selected").waitFor();
  await page.keyboard.press("Escape");
  const { files } = await context(({ files: [file] }) => file?.cursor?.line === 1501);
  expect(files[0]?.selectedText).toBe("(far)");
});

test("Enter and Escape belong to an input method as long as it composes", async () => {
  const { page } = await setUp({ files: { "a.txt": before, "b.txt": "b\n" } });
  const devTools = await page.context().newCDPSession(page);
  const compose = async (text: string) => {
    await devTools.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 });
    for (const key of ["Enter", "Escape"])
      await devTools.send("Input.dispatchKeyEvent", { type: "rawKeyDown", key, windowsVirtualKeyCode: 229 });
  };
  const files = page.getByRole("combobox", { name: "Find a file" });
  await files.focus();
  await compose("b");
  await page.getByRole("option", { name: "b.txt" }).waitFor();
  await compose("b");
  expect(await files.inputValue()).toBe("b");
  expect(await page.getByRole("tab").count()).toBe(0);
  await devTools.send("Input.insertText", { text: "a.txt" });
  await page.getByRole("option", { name: "a.txt" }).click();
  await page.getByRole("textbox", { name: "a.txt, read only" }).waitFor();
  await page.keyboard.press("Control+f");
  await compose("n");
  const find = page.getByRole("textbox", { name: "Find", exact: true });
  expect(await find.inputValue()).toBe("n");
  // As Safari ends a composition.
  await find.evaluate((field) => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", keyCode: 229, bubbles: true }));
  });
  expect(await find.evaluate((field) => field === document.activeElement)).toBe(true);
});

test("Escape in the search leads to the text, also in a layout that was chosen meanwhile", async () => {
  const { page, propose } = await setUp({ files: { "a.txt": before } });
  await propose("a.txt", after);
  await page.getByText("2 changes", { exact: true }).waitFor();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("needle");
  await expect.poll(() => page.locator(".find-count").textContent()).toMatch(/of 3$/);
  await page.getByRole("button", { name: /^Unified view/ }).click();
  await page.locator(".diff-unified .cm-content").waitFor();
  await page.getByRole("textbox", { name: "Find", exact: true }).focus();
  await page.keyboard.press("Escape");
  await page.locator(".cm-content:focus").waitFor();
});
