import { interleave, pause } from "../rounds.mjs";
import { withServers } from "../server-process.mjs";
import { publish, WireClient } from "../wire.mjs";

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
      return publish(server, 2000, streams.get(server));
    });
    const [floor, ours] = servers;
    return [
      {
        title: "One editor event to the client, debounce of 50 ms included",
        samples: results.in({ floor, ours }),
        must: 60,
        aim: 55,
      },
    ];
  });
}
