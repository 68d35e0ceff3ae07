import { interleave, pause } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

/** What is compared with the floor, by the name in the title. */
const subjects = { companion: "the core alone", executable: "the bundled executable" };
const sessions = 100;

/**
 * Resident memory of an idle server, and with a hundred sessions, each with its stream.
 * @param {import("./index.mjs").Bench} bench
 */
export async function memory(bench) {
  const ours = Object.keys(subjects);
  const kinds = ["floor", "sdk", ...ours];
  const results = await interleave(kinds, bench.rounds, (kind) => residentOf(kind, bench));
  const row = (kind, title, name, limits) => ({
    title: `Resident memory of ${subjects[kind]} ${title}`,
    unit: "MB",
    samples: results.in({ floor: "floor", sdk: "sdk", ours: kind }, name),
    judged: "ratio",
    ...limits,
  });
  return ours.flatMap((kind) => [
    row(kind, "at start", "start", { must: 1.6, aim: 1.15 }),
    row(kind, `with ${sessions} sessions`, "busy", { must: 1.8, aim: 1.2 }),
  ]);
}

/** Megabytes. */
function residentOf(kind, bench) {
  return withServers([kind], bench, async ([server]) => {
    await pause(500); // what is loaded after the port is open counts
    const start = (await server.ask("memory")).rss / 1e6;
    const clients = Array.from({ length: sessions }, () => new WireClient(server));
    await Promise.all(clients.map((client) => client.connect()));
    const busy = (await server.ask("memory")).rss / 1e6;
    return { start, busy };
  });
}
