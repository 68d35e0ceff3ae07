import { interleave, pause } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
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
  const results = await interleave(kinds, Math.min(bench.rounds, 2), (kind) =>
    withServers([kind], bench, ([server]) => stall(server)),
  );
  const title = `A client stops reading while ${Math.round((contexts * contextBytes) / 1e6)} MB are sent`;
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
