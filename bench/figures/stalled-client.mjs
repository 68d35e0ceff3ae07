import { interleave } from "../rounds.mjs";
import { ServerProcess } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

const contexts = 4000;
const contextBytes = 18_250;

/**
 * A client that stops reading its stream while 73 MB of contexts, no two alike, are sent: what the server
 * holds in memory for it. Then it continues: it must get the newest context and the outcome of its diff.
 * @param {import("./index.mjs").Bench} bench
 */
export async function stalledClient(bench) {
  const kinds = ["floor", "sdk", "ours"];
  const results = await interleave(kinds, Math.min(bench.rounds, 2), async (kind) => {
    const server = await ServerProcess.start(kind, bench);
    try {
      return await stall(server);
    } finally {
      await server.close();
    }
  });
  const [floor, sdk, ours] = kinds.map((kind) => results.get(kind));
  const title = `A client stops reading while ${Math.round((contexts * contextBytes) / 1e6)} MB are sent`;
  return [
    {
      title: `${title}: growth of the heap and of buffers`,
      unit: "MB",
      samples: { floor: floor.held, sdk: sdk.held, ours: ours.held },
      judged: "value",
      must: 5,
    },
    {
      title: `${title}: growth of resident memory`,
      unit: "MB",
      samples: { floor: floor.resident, sdk: sdk.resident, ours: ours.resident },
      judged: "value",
    },
  ];
}

async function stall(server) {
  const [healthy, stalled] = [new WireClient(server), new WireClient(server)];
  const healthyStream = await healthy.connect();
  const stream = await stalled.connect();
  const filePath = "/stalled/a.ts";
  await stalled.call(stalled.toolCall("openDiff", { filePath, newContent: "one line\n" }));
  // The same flood for a client that reads shows what the flood alone leaves in memory: it is not counted.
  await server.ask("flood", { count: contexts, bytes: contextBytes });
  await caughtUp(healthyStream);
  const before = await server.ask("memory");
  stream.pause();
  await server.ask("flood", { count: contexts, bytes: contextBytes });
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
    await new Promise((resolve) => setTimeout(resolve, 100));
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
