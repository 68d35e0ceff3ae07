import { withServers } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

const cycles = 20_000;
const warm = 1000;
/** A few CLIs at once, so that both ends of the wire are busy. */
const atOnce = 4;
const newContent = "export const value = 1;\n".repeat(100_000 / 24);

/**
 * Opens and closes 20 000 diffs of 100 KB: the growth of memory after the first thousand.
 * @param {import("./index.mjs").Bench} bench
 */
export function diffCycles(bench) {
  return withServers(["floor", "sdk", "ours"], bench, async (servers) => {
    const growths = [];
    for (const server of servers) growths.push(await growthOf(server));
    const [floor, sdk, ours] = growths;
    const samples = (name) => ({ floor: [floor[name]], sdk: [sdk[name]], ours: [ours[name]] });
    const title = "20 000 diffs of 100 KB opened and closed, growth after the first 1000";
    return [
      { title: `${title}: heap and buffers`, unit: "MB", samples: samples("held"), judged: "value", must: 1 },
      {
        title: `${title}: resident memory`,
        unit: "MB",
        samples: samples("resident"),
        judged: "value",
        must: 20,
      },
    ];
  });
}

/** Megabytes. */
async function growthOf(server) {
  const clients = Array.from({ length: atOnce }, () => new WireClient(server));
  for (const client of clients) await client.connect();
  await run(clients, warm);
  const before = await server.ask("memory");
  await run(clients, cycles - warm);
  const after = await server.ask("memory");
  const heldBytes = ({ heapUsed, external }) => heapUsed + external;
  return {
    held: (heldBytes(after) - heldBytes(before)) / 1e6,
    resident: (after.rss - before.rss) / 1e6,
  };
}

async function run(clients, count) {
  await Promise.all(
    clients.map(async (client, index) => {
      const filePath = `/bench/${index}.ts`;
      // The same bytes each time: what is measured is the server, not this process.
      const open = client.toolCall("openDiff", { filePath, newContent });
      const close = client.toolCall("closeDiff", { filePath, suppressNotification: true });
      for (let cycle = 0; cycle < count / atOnce; cycle++) {
        await client.call(open);
        await client.call(close);
      }
    }),
  );
}
