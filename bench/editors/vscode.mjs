import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { browserOptions } from "../../packages/testkit/src/browser.mjs";
import { packageAll } from "../../scripts/package.mjs";
import { createSandbox, poll } from "../testkit.mjs";

/** Ids of the extensions that are activated: ours, and one that does nothing. */
const ours = "ide-companion.ide-companion-vscode";
const empty = "bench.empty";

const standIns = [
  { publisher: "bench", name: "empty", displayName: "Empty", activationEvents: [] },
  {
    publisher: "bench",
    name: "probe",
    displayName: "Probe",
    activationEvents: ["*"],
    /**
     * Activates the others once the extension host has nothing else to do, and writes down how many milliseconds of its
     * main thread's processor time each has taken: a line of JSON for each extension host.
     */
    code: `
    const { appendFileSync, readFileSync } = require("node:fs");
    const { setTimeout: pause } = require("node:timers/promises");
    const measure = async () => {
      let before;
      do {
        before = performance.eventLoopUtilization();
        await pause(500);
      } while (performance.eventLoopUtilization(before).utilization > 0.02);
      const spent = {};
      for (const id of readFileSync(process.env.PROBE_RESULTS + ".order", "utf8").split(" ")) {
        const start = process.threadCpuUsage();
        await require("vscode").extensions.getExtension(id).activate();
        const { user, system } = process.threadCpuUsage(start);
        spent[id] = (user + system) / 1000;
      }
      appendFileSync(process.env.PROBE_RESULTS, JSON.stringify({ pid: process.pid, spent }) + "\\n");
    };
    void measure();`,
  },
];

/**
 * VS Code, as code-server, with a browser that opens windows of it; each has a separate extension host.
 * @param {import("../figures/index.mjs").Bench} bench
 * @param {(activate: (oursFirst: boolean) => Promise<{ ours: number, empty: number }>) => Promise<T>} run
 *   `activate` opens a window and closes it again, and resolves with milliseconds of the main thread's processor time;
 *   the extension that comes first may load what the second one needs, too
 * @returns {Promise<T | undefined>} undefined when VS Code is not installed
 * @template T
 */
export async function withVscode(bench, run) {
  const { codeServerScript, newerNode } = await import("../../e2e/harness/installed.ts");
  const missing = [newerNode, codeServerScript, browserOptions.executablePath].find(
    (path) => !existsSync(path),
  );
  if (missing !== undefined) return void console.error(`VS Code is left out: there is no ${missing}`);
  const { startSharedBrowser } = await import("../../e2e/harness/browser.ts");
  const { startCodeServer } = await import("../../e2e/harness/code-server.ts");
  await packageAll();
  const sandbox = await createSandbox({ ...bench.sandbox, remove: () => {} });
  const results = join(sandbox.home, "results");
  await writeFile(results, "");
  try {
    const browser = await startSharedBrowser(sandbox);
    const server = await startCodeServer(sandbox, { standIns, env: { PROBE_RESULTS: results } });
    await leaveToProbe(join(sandbox.home, "extensions"));
    let seen = 0;
    return await run(async (oursFirst) => {
      await writeFile(`${results}.order`, (oursFirst ? [ours, empty] : [empty, ours]).join(" "));
      const page = await browser.newPage();
      try {
        await page.goto(server.urlOf(sandbox.workspace));
        seen += 1;
        const { pid, spent } = await resultOf(results, seen);
        await page.close();
        process.kill(pid, "SIGKILL"); // it would wait for its window to reconnect
        return { ours: spent[ours], empty: spent[empty] };
      } finally {
        await page.close();
      }
    });
  } finally {
    await sandbox.close();
  }
}

/** Ours is activated by the probe alone: otherwise it would start amid all the others. */
async function leaveToProbe(extensions) {
  const name = (await readdir(extensions)).find((folder) => folder.startsWith(ours));
  const path = join(extensions, name, "package.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...manifest, activationEvents: [] }));
}

/** What the extension host of this number has written. */
function resultOf(results, number) {
  return poll("times of an extension host", async () => {
    const line = (await readFile(results, "utf8")).split("\n").slice(0, -1)[number - 1];
    return line && JSON.parse(line);
  });
}
