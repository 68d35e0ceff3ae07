import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { buildPage } from "../packages/review-ui/build.mjs";
import { browserOptions } from "../packages/testkit/src/browser.mjs";
import { executableIn } from "./bundle.mjs";
import { withServers } from "./server-process.mjs";

/** Times in a page are of the wall clock, which this process shares. */
export const wallClock = () => performance.timeOrigin + performance.now();

/**
 * Measures the executable with its page in a real browser, where there is one.
 * @param {import("./figures/index.mjs").Bench} bench
 * @param {(server: import("./server-process.mjs").ServerProcess, openPage: OpenPage) =>
 *   Promise<import("./report.mjs").Row[]>} measure
 * @typedef {(url: string) => Promise<import("playwright-core").Page>} OpenPage
 */
export async function withPages(bench, measure) {
  if (!existsSync(browserOptions.executablePath)) return [];
  await buildPage(join(dirname(executableIn(bench.bundles)), "review"));
  const browser = await chromium.launch(browserOptions);
  const openPage = async (url) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(watchPage);
    await page.goto(url);
    return page;
  };
  try {
    return await withServers(["executable"], bench, ([server]) => measure(server, openPage));
  } finally {
    await browser.close();
  }
}

/** Runs in the page: notes its long tasks, and when what was asked for is drawn. */
function watchPage() {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ type: "longtask" });
  const drawn = (selector) =>
    new Promise((resolve) => {
      const look = () => {
        if (!document.querySelector(selector)?.textContent) return requestAnimationFrame(look);
        // A frame is drawn after its callbacks.
        setTimeout(() => resolve(performance.timeOrigin + performance.now()));
      };
      look();
    });
  Object.assign(window, {
    drawn,
    forgetTasks: () => tasks.splice(0),
    longestTask: () => Math.max(0, ...tasks.map(({ duration }) => duration)),
  });
}
