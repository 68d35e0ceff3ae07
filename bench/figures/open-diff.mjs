import { interleave, median, timed } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

/** Servers of ours and the words for them in titles. */
const subjects = { ours: "the core alone", page: "the bundled executable with its page open" };

const sizes = [
  { title: "1 KB", bytes: 1000, calls: 60, aim: 2 },
  { title: "100 KB", bytes: 100_000, calls: 30, aim: 2 },
  { title: "1 MB", bytes: 1_000_000, calls: 12, aim: 1.5 },
  { title: "9 MB", bytes: 9_000_000, calls: 15, aim: 1.5 },
];

/**
 * From the request to the answer of `openDiff`, one at a time on a reused connection.
 * @param {import("./index.mjs").Bench} bench
 */
export function openDiff(bench) {
  return withServers(["floor", "sdk", ...Object.keys(subjects)], bench, async (servers) => {
    const clients = new Map();
    for (const server of servers) {
      const client = new WireClient(server);
      await client.connect();
      clients.set(server, client);
    }
    const rows = [];
    for (const size of sizes) {
      const round = (server) => latencyOf(clients.get(server), size);
      const results = await interleave(servers, bench.rounds, round, { warm: true });
      const [floor, sdk, ...own] = servers;
      for (const [index, subject] of Object.values(subjects).entries()) {
        rows.push({
          title: `openDiff of ${size.title} by ${subject}`,
          samples: results.in({ floor, sdk, ours: own[index] }),
          judged: "ratio",
          must: "sdk",
          aim: size.aim,
        });
      }
    }
    return rows;
  });
}

async function latencyOf(client, { bytes, calls }) {
  const { open, close } = client.diff("/bench/a.ts", "export const value = 1;\n".repeat(bytes / 24));
  const latencies = [];
  for (let call = 0; call < calls; call++) {
    latencies.push(await timed(() => client.call(open)));
    await client.call(close);
  }
  return median(latencies);
}
