import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures({ mayComplain: true });

const before = Array.from({ length: 40 }, (_, index) => `line ${index + 1} ${"and on ".repeat(12)}\n`).join(
  "",
);
const after = before.replace("line 5 ", "line five ").replace(/line 2[0-2] .*\n/gu, "");
const files = { "src/components/a.ts": before, "README.md": "# Shop\n" };

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Whether a click in the middle of it would hit it. */
const isReachable = (button: Locator) =>
  button.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

// The second is a window of 1440 by 900 at 200 %.
for (const [width, height] of [
  [390, 844],
  [640, 900],
  [720, 450],
  [960, 700],
  [1000, 700],
] as const) {
  test(`at ${width} by ${height} pixels nothing runs out of the window or covers Accept and Reject`, async () => {
    const fixture = await setUp({ files, browser: { viewport: { width, height } } });
    const { page, propose, frontend, session } = fixture;
    frontend.onEvent({ kind: "session-opened", session });
    await page.getByText("Ready to review").waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await propose("src/components/a.ts", after);
    await page.getByText("2 changes").waitFor();
    for (const layout of [".diff-unified", ".diff-side-by-side"]) {
      await page.locator(layout).waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      for (const name of ["Accept", "Reject", "Next change (j)"]) {
        expect(await isReachable(page.getByRole("button", { name, exact: true })), name).toBe(true);
      }
      await page.keyboard.press("u");
    }
  });
}

test("at 640 pixels the panels lie over the text, closed at first, one at a time", async () => {
  const fixture = await setUp({ files, browser: { viewport: { width: 640, height: 900 } } });
  const { page, propose } = fixture;
  const sidebar = page.getByRole("navigation", { name: "Waiting proposals and files" });
  const panel = page.getByRole("complementary", { name: "Companion" });
  expect([await sidebar.count(), await panel.count()]).toEqual([0, 0]);
  await page.getByRole("button", { name: "Show the files" }).click();
  await sidebar.waitFor();
  await page.getByRole("button", { name: "Show the companion" }).click();
  await panel.waitFor();
  expect(await sidebar.count()).toBe(0);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  // A file that is opened is what the user wants to see next.
  await page.keyboard.press("/");
  await page.keyboard.type("readme");
  await page.getByRole("option", { name: "README.md" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "README.md, read only" }).waitFor();
  await sidebar.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Show the files" }).click();
  await page.mouse.click(620, 500);
  await sidebar.waitFor({ state: "detached" });
  await propose("README.md", "# Store\n");
  await page.setViewportSize({ width: 1440, height: 900 });
  await sidebar.waitFor();
  await panel.waitFor();
});

test("a narrow window has another layout setting, which is stored", async () => {
  const fixture = await setUp({ files });
  const { page, propose } = fixture;
  await propose("src/components/a.ts", after);
  await page.locator(".diff-side-by-side").waitFor();
  await page.setViewportSize({ width: 700, height: 900 });
  await page.locator(".diff-unified").waitFor();
  await page.keyboard.press("u");
  await page.locator(".diff-side-by-side").waitFor();
  await page.reload();
  await page.locator(".diff-side-by-side").waitFor();
});

test("in the unified view no bar covers a deleted line", async () => {
  const fixture = await setUp({ files, browser: { viewport: { width: 640, height: 1400 } } });
  const { page, propose } = fixture;
  await propose("src/components/a.ts", after);
  await page.getByText("2 changes").waitFor();
  const deleted = page.locator(".cm-deletedChunk").last();
  await deleted.waitFor();
  const bar = await page.locator(".hunk-bar").last().boundingBox();
  const lines = await deleted.boundingBox();
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual((lines?.y ?? 0) + 1);
});

test("a panel that opens over the text has the focus before the next key", async () => {
  const { page } = await setUp({ files, browser: { viewport: { width: 640, height: 900 } } });
  const show = page.getByRole("button", { name: "Show the files" });
  const hasFocus = await show.evaluate(async (button: HTMLButtonElement) => {
    button.click();
    // No frame is drawn meanwhile.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    return document.activeElement?.closest(".overlay") !== null;
  });
  expect(hasFocus).toBe(true);
});

test("a file that is open already has the focus when it is found", async () => {
  const { page } = await setUp({
    files: { "a.txt": "a\n", "b.txt": "b\n" },
    browser: { viewport: { width: 640, height: 900 } },
  });
  for (const name of ["a.txt", "b.txt", "a.txt"]) {
    await page.keyboard.press("/");
    await page.keyboard.type(name);
    await page.getByRole("option", { name }).waitFor();
    await page.keyboard.press("Enter");
    const editor = page.getByRole("textbox", { name: `${name}, read only` });
    await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
  }
});
