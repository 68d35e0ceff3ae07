import { spawn } from "node:child_process";
import { once } from "node:events";
import { probeIn } from "../bundle.mjs";
import { interleave, median, over, pause, timed } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { openSocketTo, WireClient } from "../wire.mjs";

/** What is compared with the floor, by the name in the title. */
const subjects = { companion: "the core alone", executable: "the bundled executable" };
const sessions = 100;

/** Short runs: many rounds cost little. */
const atLeast = 9;

/**
 * Resident memory of an idle server, and with a hundred sessions, each with its stream.
 * @param {import("./index.mjs").Bench} bench
 */
export async function memory(bench) {
  const ours = Object.keys(subjects);
  const kinds = ["floor", "sdk", ...ours];
  const results = await interleave(kinds, bench.rounds, (kind) => residentOf(kind, bench));
  const row = (kind, title, name, limits) => ({
    title: `Resident memory of ${subjects[kind]} ${title}`,
    unit: "MB",
    samples: results.in({ floor: "floor", sdk: "sdk", ours: kind }, name),
    judged: "ratio",
    ...limits,
  });
  return ours.flatMap((kind) => [
    row(kind, "at start", "start", { must: 1.6, aim: 1.15 }),
    row(kind, `with ${sessions} sessions`, "busy", { must: 1.8, aim: 1.2 }),
  ]);
}

/** Megabytes. */
function residentOf(kind, bench) {
  return withServers([kind], bench, async ([server]) => {
    await pause(500); // what is loaded after the port is open counts
    const start = (await server.ask("memory")).rss / 1e6;
    const clients = Array.from({ length: sessions }, () => new WireClient(server));
    await Promise.all(clients.map((client) => client.connect()));
    const busy = (await server.ask("memory")).rss / 1e6;
    return { start, busy };
  });
}

/**
 * From the start of a process to the moment when its port answers, over an empty node process.
 * @param {import("./index.mjs").Bench} bench
 */
export async function startUp(bench) {
  const kinds = ["empty", "floor", "sdk", ...Object.keys(subjects)];
  const round = (name) => (name === "empty" ? timed(() => runEmpty(bench)) : timeToPort(name, bench));
  const results = await interleave(kinds, Math.max(bench.rounds, atLeast), round, { warm: true });
  const empty = results.of("empty");
  const beyond = (name) => over(empty, results.of(name));
  const note = `over an empty node process (${median(empty).toFixed(0)} ms)`;
  return Object.entries(subjects).map(([kind, title]) => ({
    title: `Start of ${title} to its open port, ${note}`,
    samples: { floor: beyond("floor"), sdk: beyond("sdk"), ours: beyond(kind) },
    must: 60,
    aim: 15,
  }));
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
