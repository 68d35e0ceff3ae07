import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { buildPage } from "../../packages/review-ui/build.mjs";
import { browserOptions } from "../../packages/testkit/src/browser.mjs";
import { executableIn, runExecutable } from "../bundle.mjs";
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
export function largePage(bench) {
  return withPages(bench, async (server, openPage) => {
    const floor = await openFloor(openPage);
    const ours = await openOurs(await openPage(await server.link), server, bench.sandbox.workspace);
    const rows = [];
    for (const [title, original] of Object.entries(proposals)) {
      const round = (subject) => subject.show(original);
      const results = await interleave([floor, ours], bench.rounds, round, { warm: true });
      const size = `${(after.length / 1e6).toFixed(0)} MB of ${title} in the page`;
      const row = (what, name, limits) => ({
        title: `${size}: ${what}`,
        samples: results.in({ floor, ours }, name),
        ...limits,
      });
      rows.push(
        row("until its top can be read", "read", { judged: "ratio" }),
        row("until it is compared and can be edited", "usable", { must: 1000 }),
        row("longest task of the page", "longest", { must: 200 }),
      );
    }
    await floor.close();
    return rows;
  });
}

/** Our page, and an agent that proposes. */
async function openOurs(page, server, workspace) {
  const client = new WireClient(server);
  await client.connect();
  const filePath = join(workspace, "large.ts");
  const { open, close } = client.diff(filePath, after);

  async function show(original) {
    if (original === "") await rm(filePath, { force: true });
    else await writeFile(filePath, original);
    await pause(aftermath); // what the last round has left to do
    await page.evaluate(() => window.forgetTasks());
    const top = page.evaluate(() => window.drawn(".text-top, .diff .cm-line"));
    const editor = page.evaluate(() => window.drawn(".diff .cm-line"));
    const start = wallClock();
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

async function openFloor(openPage) {
  let texts = "{}";
  const http = createServer(({ url }, response) => {
    const [type, body] =
      url === "/" ? ["text/html", "<!doctype html><pre></pre>"] : ["application/json", texts];
    response.writeHead(200, { "content-type": type }).end(body);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const page = await openPage(`http://127.0.0.1:${http.address().port}/`);

  async function show(original) {
    texts = JSON.stringify({ original, proposed: after });
    const start = wallClock();
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

const names = Array.from({ length: 300 }, (_, index) => `many/${index % 10}/file${index}.ts`);

/** The text of a file in a round. */
const textOf = (name, round) =>
  Array.from(
    { length: 60 },
    (_, line) => `const v${line} = "${name}"; // ${line % 25 === 7 ? round : ""}\n`,
  ).join("");

/**
 * A patch of 300 files that an agent writes without asking, in a real browser.
 * @param {import("./index.mjs").Bench} bench
 */
export function writtenTurn(bench) {
  return withPages(bench, async (server, openPage) => {
    const { workspace } = bench.sandbox;
    const write = (round) =>
      Promise.all(names.map((name) => writeFile(join(workspace, name), textOf(name, round))));
    for (let index = 0; index < 10; index += 1)
      await mkdir(join(workspace, "many", `${index}`), { recursive: true });
    const page = await openPage(await server.link);
    let count = 0;
    const round = async () => {
      await write(count);
      count += 1;
      const result = await measureTurn(page, bench, `turn-${count}`, () => write(count));
      await runExecutable(bench, ["changes", "keep"]);
      await page.waitForFunction(() => document.querySelector("#written-title") === null);
      return result;
    };
    const results = await interleave(["ours"], bench.rounds, round, { warm: true });
    const row = (what, name) => ({
      title: `300 written files in the page: ${what}`,
      samples: results.in({ ours: "ours" }, name),
    });
    return [
      { ...row("from the end of the agent's hook until they are listed", "listed"), must: 1000 },
      row("from a key until the first diff is there", "opened"),
      row("longest task while all are scrolled through", "longest"),
    ];
  });
}

async function measureTurn(page, bench, turn, write) {
  const hook = (event, more = {}) =>
    runExecutable(bench, ["hook", "codex", event], {
      ...{ hook_event_name: event, session_id: "bench", turn_id: turn, cwd: bench.sandbox.workspace },
      ...more,
    });
  const files = names.map((name) => `*** Update File: ${name}`).join("\n");
  const tool = {
    tool_name: "apply_patch",
    tool_input: { command: `*** Begin Patch\n${files}\n*** End Patch` },
  };
  await hook("UserPromptSubmit", { prompt: "Change all of them" });
  await hook("PreToolUse", tool);
  await write();
  const drawn = page.evaluate(
    (selector) => window.drawn(selector),
    "[aria-labelledby=written-title] li:nth-child(300)",
  );
  await hook("PostToolUse", tool);
  const end = wallClock();
  const listed = (await drawn) - end;
  await hook("Stop");
  const diff = page.evaluate(() => window.drawn(".scroll-file .hunk-bar"));
  const start = wallClock();
  await page.keyboard.press("W");
  const opened = (await diff) - start;
  return { listed, opened, longest: await scroll(page) };
}

/** @returns the longest task while the view is scrolled to its end, a window at a time */
async function scroll(page) {
  await page.evaluate(() => window.forgetTasks());
  return page.evaluate(async () => {
    const files = document.querySelector(".scroll-files");
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    for (let last = -1; files.scrollTop !== last; ) {
      last = files.scrollTop;
      files.scrollTop += files.clientHeight / 4;
      await frame();
    }
    return window.longestTask();
  });
}

/** Times in a page are of the wall clock, which this process shares. */
const wallClock = () => performance.timeOrigin + performance.now();

/**
 * Measures the executable with its page in a real browser, where there is one.
 * @param {import("./index.mjs").Bench} bench
 * @param {(server: import("../server-process.mjs").ServerProcess, openPage: OpenPage) =>
 *   Promise<import("../report.mjs").Row[]>} measure
 * @typedef {(url: string) => Promise<import("playwright-core").Page>} OpenPage
 */
async function withPages(bench, measure) {
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
