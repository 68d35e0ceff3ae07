import { interleave, pause } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

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
      const stream = streams.get(server);
      const before = stream.arrivals.length;
      await server.ask("publish", { bytes: 2000 });
      await stream.until(({ arrivals }) => arrivals.length > before);
      const { stamp, arrivedAt } = stream.arrivals.at(-1);
      return { latency: (arrivedAt - stamp) / 1000 };
    });
    const [floor, ours] = servers.map((server) => results.get(server).latency);
    return [
      {
        title: "One editor event to the client, debounce of 50 ms included",
        unit: "ms",
        samples: { floor, ours },
        judged: "value",
        must: 60,
        aim: 55,
      },
    ];
  });
}
