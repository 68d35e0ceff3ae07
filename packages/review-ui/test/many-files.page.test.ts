import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures();

test.each(["written", "waiting"])(
  "of many files, each frame brings at most one into an editor, and keeps what it folds, %s",
  async (kind) => {
    const names = Array.from({ length: 60 }, (_, index) => `file${index}.txt`);
    const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n`);
    const all = (text: readonly string[]) => Object.fromEntries(names.map((name) => [name, text.join("")]));
    const { page, turn, propose } = await setUp({ files: all(lines) });
    const changed = lines.with(30, "new\n");
    if (kind === "written") await turn("Change", all(changed));
    else for (const name of names) await propose(name, changed.join(""));
    await page
      .getByRole("region", { name: /^(Written|Waiting)/ })
      .getByText("file59.txt")
      .waitFor();
    await page.evaluate(() => {
      const perFrame: number[] = [0];
      const frame = () => {
        perFrame.push(0);
        requestAnimationFrame(frame);
      };
      frame();
      new MutationObserver((records) => {
        const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
        const isEditor = (node: Node) => node instanceof Element && node.matches(".cm-mergeView");
        perFrame.push((perFrame.pop() ?? 0) + added.filter(isEditor).length);
      }).observe(document.body, { childList: true, subtree: true });
      Object.assign(window, { perFrame });
    });
    await page.keyboard.press(kind === "written" ? "W" : "a");
    const bar = (name: string) =>
      page.locator(".scroll-file").and(page.getByLabel(name)).getByText("Change 1 of 1");
    await bar("file0.txt").waitFor();
    await page.locator(".scroll-files").evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await bar("file59.txt").waitFor();
    const perFrame: number[] = await page.evaluate("perFrame");
    expect(Math.max(...perFrame)).toBe(1);
    expect(perFrame.filter((count) => count > 0).length).toBeGreaterThan(4);
    await expect.poll(() => page.getByText("⋯ 27 unchanged lines").count()).toBeGreaterThan(4);
  },
);
