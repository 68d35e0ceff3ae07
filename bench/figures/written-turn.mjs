import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";
import { buildPage } from "../../packages/review-ui/build.mjs";
import { browserOptions } from "../../packages/testkit/src/browser.mjs";
import { executableIn, runExecutable } from "../bundle.mjs";
import { interleave } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { now, openPage } from "./large-page.mjs";

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
export async function writtenTurn(bench) {
  if (!existsSync(browserOptions.executablePath)) return [];
  await buildPage(join(dirname(executableIn(bench.bundles)), "review"));
  const browser = await chromium.launch(browserOptions);
  try {
    return await withServers(["executable"], bench, async ([server]) => {
      const { workspace } = bench.sandbox;
      const write = (round) =>
        Promise.all(names.map((name) => writeFile(join(workspace, name), textOf(name, round))));
      for (let index = 0; index < 10; index += 1)
        await mkdir(join(workspace, "many", `${index}`), { recursive: true });
      const page = await openPage(browser, await server.link);
      let count = 0;
      const round = async () => {
        await write(count);
        count += 1;
        const result = await measure(page, bench, `turn-${count}`, () => write(count));
        await runExecutable(bench, ["changes", "keep"]);
        await page.waitForFunction(() => document.querySelector("#written-title") === null);
        return result;
      };
      await round(); // warm
      const results = await interleave(["ours"], bench.rounds, round);
      const { listed, opened, longest } = results.get("ours");
      const value = (title, ours, must) => ({
        ...{ title: `300 written files in the page: ${title}`, unit: "ms", judged: "value", must },
        samples: { ours },
      });
      return [
        value("from the end of the agent's hook until they are listed", listed, 1000),
        value("from a key until the first diff is there", opened),
        value("longest task while all are scrolled through", longest),
      ];
    });
  } finally {
    await browser.close();
  }
}

async function measure(page, bench, turn, write) {
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
  const end = now();
  const listed = (await drawn) - end;
  await hook("Stop");
  const diff = page.evaluate(() => window.drawn(".scroll-file .hunk-bar"));
  const start = now();
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
