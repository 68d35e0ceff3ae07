import { interleave } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

/** What is compared with the floor, by the name in the title. */
const subjects = { ours: "the core alone", page: "the bundled executable with its page open" };
const atOnce = 8;
/** Short runs, in the first of which the servers are still being compiled. */
const atLeast = 15;
/** Calls of openDiff and closeDiff by each client. */
const pairs = 125;

/**
 * Processor time of the server for one `tools/call`, eight clients calling at once.
 * @param {import("./index.mjs").Bench} bench
 */
export function callCpu(bench) {
  return withServers(["floor", "sdk", ...Object.keys(subjects)], bench, async (servers) => {
    const clients = new Map();
    for (const server of servers) {
      clients.set(
        server,
        Array.from({ length: atOnce }, () => new WireClient(server)),
      );
      for (const client of clients.get(server)) await client.connect();
    }
    const round = async (server) => ({ cpu: await cpuOfCall(server, clients.get(server)) });
    await interleave(servers, 1, round); // warm
    const results = await interleave(servers, Math.max(bench.rounds, atLeast), round);
    const [floor, sdk, ...own] = servers.map((server) => results.get(server).cpu);
    return Object.values(subjects).map((subject, index) => ({
      title: `Processor time of ${subject} for a tools/call, ${atOnce} at once`,
      unit: "ms",
      samples: { floor, sdk, ours: own[index] },
      judged: "ratio",
      must: index === 0 ? "sdk" : undefined,
      aim: 3,
    }));
  });
}

async function cpuOfCall(server, clients) {
  const before = await server.ask("cpu");
  await Promise.all(clients.map((client, index) => callInTurn(client, `/bench/${index}.ts`)));
  const used = (await server.ask("cpu")) - before;
  return used / 1000 / (2 * pairs * clients.length);
}

async function callInTurn(client, filePath) {
  const open = client.toolCall("openDiff", { filePath, newContent: "export const value = 1;\n" });
  const close = client.toolCall("closeDiff", { filePath, suppressNotification: true });
  for (let pair = 0; pair < pairs; pair++) {
    await client.call(open);
    await client.call(close);
  }
}
