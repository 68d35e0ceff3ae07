import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { join } from "node:path";
import { createDiscoveryFolder, firstAnnouncement } from "../announcement.mjs";
import { executableIn } from "../bundle.mjs";
import { interleave, median, timed } from "../rounds.mjs";

/** Short runs: many rounds cost little. */
const atLeast = 9;

/**
 * From the start of a process to the moment when its port answers, over an empty node process.
 * @param {import("./index.mjs").Bench} bench
 */
export async function startUp({ bundles, sandbox, rounds }) {
  const subjects = {
    empty: () => timed(() => runEmpty(sandbox)),
    floor: () => listenTime([join(bundles, "floor.mjs")], sandbox),
    sdk: () => listenTime([join(bundles, "sdk.mjs")], sandbox),
    ours: () => listenTime([join(bundles, "companion.mjs")], sandbox),
    executable: () => listenTime([executableIn(bundles), sandbox.workspace, "--no-open"], sandbox),
  };
  const round = async (name) => ({ time: await subjects[name]() });
  await interleave(Object.keys(subjects), 1, round); // warm: the system's own caches
  const results = await interleave(Object.keys(subjects), Math.max(rounds, atLeast), round);
  const empty = results.get("empty").time;
  const beyond = (name) => results.get(name).time.map((time, index) => time - empty[index]);
  const samples = { floor: beyond("floor"), sdk: beyond("sdk") };
  const note = `over an empty node process (${median(empty).toFixed(0)} ms)`;
  const row = (title, name) => ({
    title: `Start of ${title} to its open port, ${note}`,
    unit: "ms",
    samples: { ...samples, ours: beyond(name) },
    judged: "value",
    must: 60,
    aim: 15,
  });
  return [row("the core alone", "ours"), row("the bundled executable", "executable")];
}

async function runEmpty(sandbox) {
  const child = spawn(process.execPath, ["-e", "0"], { env: sandbox.env, stdio: "ignore" });
  await once(child, "exit");
}

/** Milliseconds until the port that a process announces by a file accepts a connection. */
async function listenTime(args, sandbox) {
  const { env, folder } = await createDiscoveryFolder(sandbox);
  const announced = firstAnnouncement(folder);
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...sandbox.env, ...env, BENCH_FOLDER: sandbox.workspace, BENCH_TOKEN: "token" },
    // It would end with its standard input.
    stdio: ["pipe", "ignore", "inherit"],
  });
  const exit = once(child, "exit");
  const failure = exit.then(() => Promise.reject(new Error(`${args[0]} ended before its port was open`)));
  try {
    const { port } = await Promise.race([announced, failure]);
    await connect(port);
    return performance.now() - start;
  } finally {
    failure.catch(() => {}); // from now on it is expected to end
    child.kill("SIGTERM");
    await exit;
  }
}

async function connect(port) {
  const socket = net.connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
}
