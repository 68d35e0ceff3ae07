const { appendFileSync, readFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const { setTimeout: pause } = require("node:timers/promises");
const vscode = require("vscode");

/** Milliseconds in which the thread is watched, and the share of them that it may be busy to count as idle. */
const watched = 500;
const idle = 0.02;

/**
 * An extension that activates others, once the extension host has nothing else to do, and writes down how many
 * milliseconds of its main thread's processor time each has taken: a line of JSON for each extension host.
 */
exports.activate = () => void measure();

async function measure() {
  let before;
  do {
    before = performance.eventLoopUtilization();
    await pause(watched);
  } while (performance.eventLoopUtilization(before).utilization > idle);
  const spent = {};
  for (const id of readFileSync(`${process.env.PROBE_RESULTS}.order`, "utf8").split(" ")) {
    const start = process.threadCpuUsage();
    await vscode.extensions.getExtension(id).activate();
    const { user, system } = process.threadCpuUsage(start);
    spent[id] = (user + system) / 1000;
  }
  appendFileSync(process.env.PROBE_RESULTS, `${JSON.stringify({ pid: process.pid, spent })}\n`);
}
