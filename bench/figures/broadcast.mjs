import { interleave, median } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { publish, WireClient } from "../wire.mjs";

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
