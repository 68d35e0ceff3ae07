import { spawn } from "node:child_process";
import { once } from "node:events";
import { probeIn } from "../bundle.mjs";
import { interleave, median, over, timed } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { openSocketTo } from "../wire.mjs";

/** Short runs: many rounds cost little. */
const atLeast = 9;

/**
 * From the start of a process to the moment when its port answers, over an empty node process.
 * @param {import("./index.mjs").Bench} bench
 */
export async function startUp(bench) {
  const subjects = ["empty", "floor", "sdk", "companion", "executable"];
  const round = (name) => (name === "empty" ? timed(() => runEmpty(bench)) : timeToPort(name, bench));
  const results = await interleave(subjects, Math.max(bench.rounds, atLeast), round, { warm: true });
  const empty = results.of("empty");
  const beyond = (name) => over(empty, results.of(name));
  const note = `over an empty node process (${median(empty).toFixed(0)} ms)`;
  const row = (title, name) => ({
    title: `Start of ${title} to its open port, ${note}`,
    samples: { floor: beyond("floor"), sdk: beyond("sdk"), ours: beyond(name) },
    must: 60,
    aim: 15,
  });
  return [row("the core alone", "companion"), row("the bundled executable", "executable")];
}

/** Like the others, it has the bench's channel. */
async function runEmpty({ bundles, sandbox }) {
  const args = ["--import", probeIn(bundles), "--eval", "process.exit()"];
  const child = spawn(process.execPath, args, {
    env: sandbox.env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(child, "exit");
}

/** Milliseconds from the start of a server until its port accepts a connection. */
function timeToPort(kind, bench) {
  return withServers([kind], bench, async ([server]) => {
    (await openSocketTo(server.port)).destroy();
    return performance.now() - server.startedAt;
  });
}
