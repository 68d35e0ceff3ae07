import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { buildPage } from "../../packages/review-ui/build.mjs";
import { browserOptions } from "../../packages/testkit/src/browser.mjs";
import { executableIn } from "../bundle.mjs";
import { interleave, pause } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

const lines = Array.from(
  { length: 180_000 },
  (_, index) => `const value${index} = ${index * 7919}; // the ${index}th line\n`,
);
const before = lines.join("");
const after = lines.map((line, index) => (index % 40_000 === 7 ? line.replace("=", "= 1 +") : line)).join("");

const proposals = { "a changed file": before, "a new file": "" };

/** Milliseconds after the diff is there in which the page may still have a long task. */
const aftermath = 1500;

/**
 * A proposal of some megabytes in a real browser. The floor is a bare page that reads both texts as JSON and draws the
 * top of one.
 * @param {import("./index.mjs").Bench} bench
 */
export async function largePage(bench) {
  if (!existsSync(browserOptions.executablePath)) return [];
  await buildPage(join(dirname(executableIn(bench.bundles)), "review"));
  const browser = await chromium.launch(browserOptions);
  try {
    return await withServers(["executable"], bench, async ([server]) => {
      const floor = await openFloor(browser);
      const ours = await openOurs(browser, server, bench.sandbox.workspace);
      const rows = [];
      for (const [title, original] of Object.entries(proposals))
        rows.push(...(await measure(title, original)));
      await floor.close();
      return rows;

      async function measure(title, original) {
        const subjects = { floor, ours };
        const round = (name) => subjects[name].show(original);
        await interleave(Object.keys(subjects), 1, round); // warm
        const results = await interleave(Object.keys(subjects), bench.rounds, round);
        const samples = (name) => ({ floor: results.get("floor")[name], ours: results.get("ours")[name] });
        const size = `${(after.length / 1e6).toFixed(0)} MB of ${title} in the page`;
        return [
          {
            title: `${size}: until its top can be read`,
            unit: "ms",
            samples: samples("read"),
            judged: "ratio",
          },
          {
            title: `${size}: until it is compared and can be edited`,
            unit: "ms",
            samples: samples("usable"),
            judged: "value",
            must: 1000,
          },
          {
            title: `${size}: longest task of the page`,
            unit: "ms",
            samples: samples("longest"),
            judged: "value",
            must: 200,
          },
        ];
      }
    });
  } finally {
    await browser.close();
  }
}

/** Times in the page are of the wall clock, which this process shares. */
export const now = () => performance.timeOrigin + performance.now();

export async function openPage(browser, url) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(watchPage);
  await page.goto(url);
  return page;
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

/** Our page, and an agent that proposes. */
async function openOurs(browser, server, workspace) {
  const page = await openPage(browser, await server.link);
  const client = new WireClient(server);
  await client.connect();
  const filePath = join(workspace, "large.ts");
  const open = client.toolCall("openDiff", { filePath, newContent: after });
  const close = client.toolCall("closeDiff", { filePath, suppressNotification: true });

  async function show(original) {
    if (original === "") await rm(filePath, { force: true });
    else await writeFile(filePath, original);
    await pause(aftermath); // what the last round has left to do
    await page.evaluate(() => window.forgetTasks());
    const top = page.evaluate(() => window.drawn(".text-top, .diff .cm-line"));
    const editor = page.evaluate(() => window.drawn(".diff .cm-line"));
    const start = now();
    await client.call(open);
    const [read, usable] = [(await top) - start, (await editor) - start];
    await pause(aftermath);
    const longest = await page.evaluate(() => window.longestTask());
    await client.call(close);
    await page.waitForFunction(() => document.querySelector(".diff") === null);
    return { read, usable, longest };
  }

  return { show };
}

async function openFloor(browser) {
  let texts = "{}";
  const http = createServer(({ url }, response) => {
    const [type, body] =
      url === "/" ? ["text/html", "<!doctype html><pre></pre>"] : ["application/json", texts];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const page = await openPage(browser, `http://127.0.0.1:${http.address().port}/`);

  async function show(original) {
    texts = JSON.stringify({ original, proposed: after });
    const start = now();
    const read = await page.evaluate(async () => {
      window.forgetTasks();
      const { proposed } = await (await fetch("/texts")).json();
      document.querySelector("pre").textContent = proposed.split("\n", 100).join("\n");
      return window.drawn("pre");
    });
    await pause(aftermath);
    const longest = await page.evaluate(() => window.longestTask());
    return { read: read - start, usable: read - start, longest };
  }

  return {
    show,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}
