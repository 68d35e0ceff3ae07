import { withServers } from "../server-process.mjs";
import { WireClient } from "../wire.mjs";

const count = 200;
const interval = 10;

/**
 * A user who moves for two seconds: how many contexts the client receives, and the longest time
 * that an event waits.
 * @param {import("./index.mjs").Bench} bench
 */
export function burst({ rounds, ...bench }) {
  return withServers(["companion"], bench, async ([server]) => {
    const stream = await new WireClient(server).connect();
    const samples = { notifications: [], gap: [], staleness: [] };
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      const from = stream.arrivals.length;
      const stamps = await server.ask("burst", { count, interval, bytes: 2000 });
      await stream.until(({ arrivals }) => arrivals.at(-1)?.stamp === stamps.at(-1));
      const arrivals = stream.arrivals.slice(from);
      const during = arrivals.filter(({ arrivedAt }) => arrivedAt <= stamps.at(-1));
      samples.notifications.push(during.length);
      samples.gap.push(longestGap([stamps[0], ...during.map(({ arrivedAt }) => arrivedAt), stamps.at(-1)]));
      samples.staleness.push(longestWait(stamps, arrivals));
    }
    return toRows(samples);
  });
}

function toRows({ notifications, gap, staleness }) {
  const title = "200 events in 2 s";
  return [
    {
      title: `${title}: notifications`,
      unit: "",
      samples: { ours: notifications },
      judged: "value",
      // One each 100 ms; the timers of the system add to each.
      must: 18,
      atLeast: true,
    },
    { title: `${title}: longest silence`, unit: "ms", samples: { ours: gap }, judged: "value" },
    {
      title: `${title}: longest wait of an event`,
      unit: "ms",
      samples: { ours: staleness },
      judged: "value",
      must: 150,
      aim: 110,
    },
  ];
}

/** Milliseconds between two of these times in microseconds. */
function longestGap(times) {
  return Math.max(...times.slice(1).map((time, index) => time - times[index])) / 1000;
}

/** From each event to the first notification that is as new: the longest, in milliseconds. */
function longestWait(stamps, arrivals) {
  const waits = stamps.map((stamp) => arrivals.find((arrival) => arrival.stamp >= stamp).arrivedAt - stamp);
  return Math.max(...waits) / 1000;
}
