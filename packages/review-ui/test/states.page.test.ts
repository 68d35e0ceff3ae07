import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { faults } from "./axe.ts";
import { useFixtures } from "./fixtures.ts";
import { pageStates } from "./page-states.ts";
import { stateFiles } from "./state-steps.ts";

const { setUp } = useFixtures({ mayComplain: true });

/** Where pictures of all states go; without it none are made. */
const pictures = process.env.PAGE_PICTURES;

const widths = [1440, 960, 640, 390];
const themes = ["light", "dark"] as const;

describe.each(pageStates)("in the state: $name", ({ name, options, arrange }) => {
  test("axe finds nothing in either theme, and nothing is cut off in any window", async () => {
    const fixture = await setUp({ files: stateFiles, ...options });
    const { page } = fixture;
    await arrange(fixture);
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      // The page lays itself out again in the next frames.
      await expect.poll(() => cutOff(page), { message: `${width} pixels` }).toEqual([]);
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        await takePicture(page, `${name}-${width}-${colorScheme}`);
        if (width !== 1440 && width !== 390) continue;
        expect(await faults(page), `${width} pixels, ${colorScheme}`).toEqual([]);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
    await takePicture(page, `${name}-forced`);
    expect(await faults(page), "forced colours").toEqual([]);
  });
});

/** What cannot be seen or clicked because it runs out of the window. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    // These scroll.
    const scrolling = ".cm-scroller, .tab-bar, .tree, .chips, .images";
    const all = [...document.querySelectorAll<HTMLElement>("button, input, select, .badge, p, h2")];
    const cut = all.filter((element) => {
      if (element.closest(`${scrolling}, .visually-hidden, .skip-link`) || !element.checkVisibility())
        return false;
      const { left, right } = element.getBoundingClientRect();
      return left < -1 || right > clientWidth + 1;
    });
    const names = cut.map(({ textContent, className }) => textContent || className);
    return scrollWidth > clientWidth ? ["the whole page", ...names] : names;
  });
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  // The editors measure their lines after a frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(pictures, `${name.replaceAll(" ", "-")}.png`) });
}
