import { until } from "../../../../until.ts";
import { demand, NotRun } from "../../../check.ts";
import { mcp, recommended } from "../../../requirement.ts";
import { rejected } from "../../faults.ts";
import { closeDiff, openDiff } from "../../wire.ts";
import type { FamilyGroup } from "../means.ts";

export const streamsRules: FamilyGroup = {
  T16: {
    MUST: "A message goes out on one stream of a session only.",
    sources: mcp("Transports", "The same message MUST NOT be sent on several streams."),
    check: "one-stream",
    lane: "proposals",
    async run({ connect, limits, path }) {
      const session = await connect();
      const second = await session.openStream().catch(() => undefined); // refusing it fulfils the rule too
      if (!second) return;
      const file = path("one.txt");
      await openDiff(session, file, "one\n");
      await closeDiff(session, file, false);
      await until(() => session.of(rejected).length > 0, limits.event);
      await second.listen(limits.quiet);
      const { length: count } = session.of(rejected);
      if (count === 0) throw new NotRun("no notification came that could have been doubled");
      demand(count === 1, `one ${rejected} was expected on two streams, got ${count}`);
    },
    fault: {
      down(message, { tellAll }) {
        if (message.method !== rejected) return message;
        tellAll(message);
        return undefined;
      },
      says: /one ide\/diffRejected was expected on two streams, got 2/,
    },
  },
  T22: {
    MUST: "When events have ids, no two events of a session have the same.",
    sources: mcp("Transports", "An event's id MUST be unique across all streams of a session."),
    check: "event-ids",
    async run({ connect, limits }) {
      const session = await connect();
      for (let opened = 1; ; opened += 1) {
        await session.stream.find(({ events }) => events[0], limits.event);
        session.stream.cut();
        if (opened === 3) break;
        await session.openStream();
      }
      const ids = session.streams.flatMap(({ events }) => events.flatMap(({ id }) => id ?? []));
      if (ids.length === 0) throw new NotRun("events have no ids");
      const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
      demand(
        doubled.length === 0,
        `three streams of one session had events with the id ${doubled.join(", ")}`,
      );
    },
    fault: { eventId: (id) => id.replace(/-.*/, ""), says: /events with the id 0/ },
  },
  T24: {
    MAY: "`GET /health` answers without a token, and then reveals only that the companion runs.",
    sources: recommended("It shows quickly which end of a broken connection is dead."),
    check: "health",
    async run({ newCli, target }) {
      const { status, body } = await newCli().send({ method: "GET", path: "/health" });
      if (status !== 200) throw new NotRun("/health is not offered without the token");
      const secrets = [...target.roots, ...target.tokens.values()].filter((secret) => body.includes(secret));
      demand(
        secrets.length === 0,
        `it reveals ${secrets.length} of the open folders and tokens without the token`,
      );
    },
    fault: {
      body: (_, { token }) => JSON.stringify({ status: "ok", token }),
      says: /of the open folders and tokens/,
    },
  },
};
