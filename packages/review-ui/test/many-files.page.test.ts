import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures();

test("of a turn of many files, each frame brings at most one into an editor, and keeps what it folds", async () => {
  const names = Array.from({ length: 60 }, (_, index) => `file${index}.txt`);
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n`);
  const all = (text: readonly string[]) => Object.fromEntries(names.map((name) => [name, text.join("")]));
  const { page, turn } = await setUp({ files: all(lines) });
  await turn("Change", all(lines.with(30, "new\n")));
  await page.getByRole("region", { name: /^Written/ }).waitFor();
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
  await page.keyboard.press("W");
  const bar = (name: string) => page.getByRole("region", { name }).getByText("Change 1 of 1");
  await bar("file0.txt").waitFor();
  await page.locator(".written-files").evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await bar("file59.txt").waitFor();
  const perFrame: number[] = await page.evaluate("perFrame");
  expect(Math.max(...perFrame)).toBe(1);
  expect(perFrame.filter((count) => count > 0).length).toBeGreaterThan(4);
  await expect.poll(() => page.getByText("⋯ 27 unchanged lines").count()).toBeGreaterThan(4);
});
