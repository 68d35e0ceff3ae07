import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { interleave, pause, timed } from "../rounds.mjs";
import { ServerProcess } from "../server-process.mjs";

/** What is compared with the floor, by the name in the title. */
const subjects = { ours: "the core alone", executable: "the bundled executable" };

/**
 * The first client of a fresh server, connected by the MCP SDK's own client: at once when the port is
 * open, and after half a second, in which a server can get ready.
 * @param {import("./index.mjs").Bench} bench
 */
export async function firstConnect(bench) {
  const ours = Object.keys(subjects);
  const kinds = ["floor", "sdk", ...ours];
  const rows = [];
  for (const { idle, title } of [
    { idle: 0, title: "at once when the port is open" },
    { idle: 500, title: "half a second later" },
  ]) {
    const round = async (kind) => ({ time: await connectFresh(kind, idle, bench) });
    await interleave(kinds, 1, round); // warm: this process, and the system's caches
    const results = await interleave(kinds, Math.max(bench.rounds, 7), round);
    const timeOf = (kind) => results.get(kind).time;
    for (const kind of ours) {
      rows.push({
        title: `First connect of an MCP client to ${subjects[kind]}, ${title}`,
        unit: "ms",
        samples: { floor: timeOf("floor"), sdk: timeOf("sdk"), ours: timeOf(kind) },
        judged: "ratio",
        must: 2.4,
        aim: 1.3,
      });
    }
  }
  return rows;
}

async function connectFresh(kind, idle, bench) {
  const server = await ServerProcess.start(kind, bench);
  const client = new Client({ name: "bench", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${server.port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  });
  try {
    if (idle > 0) await pause(idle);
    return await timed(() => client.connect(transport));
  } finally {
    await client.close();
    await server.close();
  }
}
