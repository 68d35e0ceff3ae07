import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { isMatrix } from "../../testkit/src/matrix.ts";
import { faults } from "./axe.ts";
import { useFixtures } from "./fixtures.ts";
import { pageStates } from "./page-states.ts";
import { stateFiles } from "./state-steps.ts";

const { setUp } = useFixtures({ mayComplain: true });

/** Where pictures of all states go; without it none are made. */
const pictures = process.env.PAGE_PICTURES;

const widths = [1440, 960, 640, 390];
const themes = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
] as const;
const forced = { colorScheme: "light", forcedColors: "active" } as const;

/** How axe sees a state. */
const looks = [
  ...[1440, 390].flatMap((width) => themes.map((media) => ({ width, media }))),
  { width: 1440, media: forced },
];

/** A commit has one look at a state, and another one at the next state. */
const isDue = (state: number, look: number) => isMatrix || (state + look) % looks.length === 0;

describe.each(pageStates.map((state, index) => ({ ...state, index })))(
  "in the state: $name",
  ({ name, options, arrange, index }) => {
    test("axe finds nothing, and nothing is cut off in any window", async () => {
      const fixture = await setUp({ files: stateFiles, ...options });
      const { page } = fixture;
      await arrange(fixture);
      const due = looks.filter((_, look) => isDue(index, look));
      for (const width of widths) {
        await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
        // The page lays itself out again in the next frames.
        await expect.poll(() => cutOff(page), { message: `${width} pixels` }).toEqual([]);
        for (const media of width === 1440 ? [...themes, forced] : themes) {
          await takePicture(page, `${name}-${width}`, media);
        }
        for (const { media } of due.filter((look) => look.width === width)) {
          await page.emulateMedia(media);
          expect(await faults(page), JSON.stringify({ width, ...media })).toEqual([]);
        }
      }
    });
  },
);

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

/** Does nothing where no pictures are wanted. */
async function takePicture(
  page: Page,
  name: string,
  media: (typeof themes)[number] | typeof forced,
): Promise<void> {
  if (pictures === undefined) return;
  await mkdir(pictures, { recursive: true });
  await page.emulateMedia(media);
  // The editors measure their lines after a frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const file = `${name}-${media === forced ? "forced" : media.colorScheme}`.replaceAll(" ", "-");
  await page.screenshot({ path: join(pictures, `${file}.png`) });
}
