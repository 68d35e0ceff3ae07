import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runExecutable } from "../bundle.mjs";
import { wallClock, withPages } from "../page.mjs";
import { interleave } from "../rounds.mjs";

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
      const result = await measure(page, bench, `turn-${count}`, () => write(count));
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
