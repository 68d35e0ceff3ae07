import { interleave, median, pause } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { publish, WireClient } from "../wire.mjs";

const events = 40;

/**
 * From one editor event to the client that receives it, with the debounce. The floor has no debounce:
 * it shows the time of the transport.
 * @param {import("./index.mjs").Bench} bench
 */
export function oneEvent(bench) {
  return withServers(["floor", "companion"], bench, async (servers) => {
    const streams = new Map();
    for (const server of servers) streams.set(server, await new WireClient(server).connect());
    const results = await interleave(servers, events, async (server, round) => {
      // Longer than the debounce, and not synchronous with a timer of the server.
      await pause(80 + ((round * 37) % 50));
      return publish(server, 2000, streams.get(server));
    });
    const [floor, ours] = servers;
    return [
      {
        title: "One editor event to the client, debounce of 50 ms included",
        samples: results.in({ floor, ours }),
        must: 60,
        aim: 55,
      },
    ];
  });
}

const sessions = 100;
const broadcasts = 30;
const contextBytes = 18_000;

/**
 * One context of 18 KB to a hundred sessions: the server's processor time, and the time until the last
 * one receives it.
 * @param {import("./index.mjs").Bench} bench
 */
export function broadcast(bench) {
  return withServers(["floor", "sdk", "ours"], bench, async (servers) => {
    const streams = new Map();
    for (const server of servers) {
      const clients = Array.from({ length: sessions }, () => new WireClient(server));
      streams.set(server, await Promise.all(clients.map((client) => client.connect())));
    }
    const round = (server) => sendToAll(server, streams.get(server));
    const results = await interleave(servers, bench.rounds, round, { warm: true });
    const [floor, sdk, ours] = servers;
    const title = `A context of 18 KB to ${sessions} sessions`;
    const row = (what, name) => ({
      title: `${title}: ${what}`,
      samples: results.in({ floor, sdk, ours }, name),
      judged: "ratio",
      must: "sdk",
      aim: 2,
    });
    return [row("server's processor time", "cpu"), row("until the last one has it", "latency")];
  });
}

/** @returns processor time and latency, in milliseconds a broadcast */
async function sendToAll(server, streams) {
  const latencies = [];
  const before = await server.ask("cpu");
  for (let sent = 0; sent < broadcasts; sent++)
    latencies.push(await publish(server, contextBytes, ...streams));
  const cpu = ((await server.ask("cpu")) - before) / 1000 / broadcasts;
  return { cpu, latency: median(latencies) };
}

const contexts = 4000;
const floodedBytes = 18_250;

/**
 * A client that stops reading its stream while 73 MB of contexts, no two alike, are sent: what the server
 * holds in memory for it. Then it continues: it must get the newest context and the outcome of its diff.
 * @param {import("./index.mjs").Bench} bench
 */
export async function stalledClient(bench) {
  const kinds = ["floor", "sdk", "ours"];
  const results = await interleave(kinds, Math.min(bench.rounds, 2), (kind) =>
    withServers([kind], bench, ([server]) => stall(server)),
  );
  const title = `A client stops reading while ${Math.round((contexts * floodedBytes) / 1e6)} MB are sent`;
  const row = (what, name) => ({
    title: `${title}: growth of ${what}`,
    unit: "MB",
    samples: results.in({ floor: "floor", sdk: "sdk", ours: "ours" }, name),
  });
  return [{ ...row("the heap and of buffers", "held"), must: 5 }, row("resident memory", "resident")];
}

async function stall(server) {
  const [healthy, stalled] = [new WireClient(server), new WireClient(server)];
  const healthyStream = await healthy.connect();
  const stream = await stalled.connect();
  const filePath = "/stalled/a.ts";
  await stalled.call(stalled.diff(filePath, "one line\n").open);
  // The same flood for a client that reads shows what the flood alone leaves in memory: it is not counted.
  await server.ask("flood", { count: contexts, bytes: floodedBytes });
  await caughtUp(healthyStream);
  const before = await server.ask("memory");
  stream.pause();
  await server.ask("flood", { count: contexts, bytes: floodedBytes });
  await caughtUp(healthyStream);
  const after = await server.ask("memory");
  await readOn(server, stream, { healthyStream, filePath });
  const heldBytes = ({ heapUsed, external }) => heapUsed + external;
  return {
    held: (heldBytes(after) - heldBytes(before)) / 1e6,
    resident: (after.rss - before.rss) / 1e6,
  };
}

/** A client that reads has received everything once nothing new comes. */
async function caughtUp(stream) {
  let seen = -1;
  while (stream.arrivals.length !== seen) {
    seen = stream.arrivals.length;
    await pause(100);
  }
}

/** @throws {Error} unless the newest context comes and, where the server has decisions, the outcome. */
async function readOn(server, stream, { healthyStream, filePath }) {
  const newest = healthyStream.arrivals.at(-1).stamp;
  if (server.kind === "ours") await server.ask("accept", { filePath });
  stream.resume();
  await stream.until(({ arrivals }) => arrivals.at(-1)?.stamp === newest);
  if (server.kind === "ours") await stream.until(({ others }) => others.includes("ide/diffAccepted"));
}
