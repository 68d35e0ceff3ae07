import { interleave, median, timed } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

/** `must` are the ratios that the official companion of Gemini CLI has been seen to reach. */
const sizes = [
  { title: "1 KB", bytes: 1000, calls: 60, must: 11.5, aim: 2.5 },
  { title: "100 KB", bytes: 100_000, calls: 30, must: 3.4, aim: 1.5 },
  { title: "1 MB", bytes: 1_000_000, calls: 12, must: 1.24, aim: 1.2 },
  { title: "9 MB", bytes: 9_000_000, calls: 15, must: 0.91, aim: 1 },
];

/**
 * From the request to the answer of `openDiff`, one at a time on a kept connection.
 * @param {import("./index.mjs").Bench} bench
 */
export function openDiff(bench) {
  return withServers(["floor", "sdk", "ours"], bench, async (servers) => {
    const clients = new Map();
    for (const server of servers) {
      const client = new WireClient(server);
      await client.connect();
      clients.set(server, client);
    }
    const rows = [];
    for (const size of sizes) {
      const round = async (server) => ({ latency: await latencyOf(clients.get(server), size) });
      await interleave(servers, 1, round); // warm
      const results = await interleave(servers, bench.rounds, round);
      const [floor, sdk, ours] = servers.map((server) => results.get(server).latency);
      const { title, must, aim } = size;
      const samples = { floor, sdk, ours };
      rows.push({ title: `openDiff of ${title}`, unit: "ms", samples, judged: "ratio", must, aim });
    }
    return rows;
  });
}

async function latencyOf(client, { bytes, calls }) {
  const filePath = "/bench/a.ts";
  const newContent = "export const value = 1;\n".repeat(bytes / 24);
  const latencies = [];
  for (let call = 0; call < calls; call++) {
    const open = client.toolCall("openDiff", { filePath, newContent });
    latencies.push(await timed(() => client.call(open)));
    await client.call(client.toolCall("closeDiff", { filePath, suppressNotification: true }));
  }
  return median(latencies);
}
