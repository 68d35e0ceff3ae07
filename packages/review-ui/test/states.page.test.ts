import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { faults } from "./axe.ts";
import { useFixtures } from "./fixtures.ts";
import { pageStates, stateFiles } from "./page-states.ts";

const { setUp } = useFixtures({ mayComplain: true });

/** Where pictures of all states go; without it none are made. */
const pictures = process.env.PAGE_PICTURES;

const widths = [1440, 960, 640, 390];
const themes = ["light", "dark"] as const;

async function takePicture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name.replaceAll(" ", "-")}.png`) });
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe.each(pageStates)("in the state: $name", ({ name, options, arrange }) => {
  test("axe finds nothing in either theme, and nothing runs out of any window", async () => {
    const fixture = await setUp({ files: stateFiles, ...options });
    const { page } = fixture;
    await arrange(fixture);
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
      expect(await overflow(page), `${width} pixels`).toBeLessThanOrEqual(0);
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme });
        await takePicture(page, `${name}-${width}-${colorScheme}`);
        if (width === 1440 || (width === 390 && colorScheme === "light")) {
          expect(await faults(page), `${width} pixels, ${colorScheme}`).toEqual([]);
        }
      }
    }
    if (pictures === undefined) return;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light", forcedColors: "active" });
    await takePicture(page, `${name}-forced`);
  });
});
