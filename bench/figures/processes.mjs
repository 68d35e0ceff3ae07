import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createDiscoveryFolder, firstAnnouncement } from "../announcement.mjs";
import { executableIn } from "../bundle.mjs";
import { interleave, median, over, pause, timed } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { openSocketTo, WireClient } from "../wire.mjs";

/** Servers of ours and the words for them in titles. */
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
  const { bundles, sandbox, rounds } = bench;
  const bundle = (kind) => () => timeToPort([join(bundles, `${kind}.mjs`)], sandbox);
  const starts = {
    empty: () => timed(() => runEmpty(sandbox)),
    ...{ floor: bundle("floor"), sdk: bundle("sdk"), companion: bundle("companion") },
    executable: () => timeToPort([executableIn(bundles), sandbox.workspace, "--no-open"], sandbox),
  };
  const round = (name) => starts[name]();
  const results = await interleave(Object.keys(starts), Math.max(rounds, atLeast), round, { warm: true });
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

async function runEmpty({ env }) {
  const child = spawn(process.execPath, ["--eval", "0"], { env, stdio: "ignore" });
  await once(child, "exit");
}

/** As a user starts it, without our channel: milliseconds until the port that it announces accepts a connection. */
async function timeToPort(args, sandbox) {
  const { env, folder } = await createDiscoveryFolder(sandbox);
  const announced = firstAnnouncement(folder);
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...sandbox.env, ...env, BENCH_FOLDER: sandbox.workspace, BENCH_TOKEN: "token" },
    // It would end with its standard input.
    stdio: ["pipe", "ignore", "inherit"],
  });
  const exit = once(child, "exit");
  try {
    const { port } = await announced;
    (await openSocketTo(port)).destroy();
    return performance.now() - startedAt;
  } finally {
    child.kill("SIGTERM");
    await exit;
  }
}
