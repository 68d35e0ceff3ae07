import { setTimeout as delay } from "node:timers/promises";
import { demand, demandNone, NotRun } from "../../../check.ts";
import type { CliSession } from "../../wire/cli-session.ts";
import type { Check } from "../means.ts";

/** @throws NotRun when the companion issues no ids. */
function withId(session: CliSession): CliSession {
  if (session.id === undefined) throw new NotRun("the companion issues no session ids");
  return session;
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };

export const unknownSession: Check = {
  id: "unknown-session",
  title: "a session that does not exist is answered 404",
  requirements: ["T13"],
  lane: "wire",
  async run({ wire }) {
    const session = withId(await wire.greet());
    session.id = "00000000-0000-4000-8000-000000000000";
    const { status } = await session.post(list);
    demand(status === 404, `404 was expected, got ${status}`);
  },
};

export const missingSession: Check = {
  id: "missing-session",
  title: "a request without its session is answered 400",
  requirements: ["T14"],
  lane: "wire",
  async run({ wire }) {
    const session = withId(await wire.greet());
    session.id = undefined;
    const { status } = await session.post(list);
    demand(status === 400, `400 was expected, got ${status}`);
  },
};

export const severalClis: Check = {
  id: "several-clis",
  title: "several CLIs are served at once",
  requirements: ["T15"],
  lane: "wire",
  async run({ wire, agents, limits }) {
    const clis: CliSession[] = [];
    for (const agent of [...agents, ...agents]) clis.push(await wire.connect({ agent }));
    const problems = await Promise.all(
      clis.map(async (cli, index) => {
        const who = `CLI ${index + 1} of ${clis.length}, ${cli},`;
        try {
          for (let round = 0; round < 5; round += 1) {
            const { result, message } = await cli.request("tools/list", {});
            if (!result) return `${who} was answered ${JSON.stringify(message)}`;
          }
        } catch (error) {
          return `${who} was not answered while the others were: ${error instanceof Error ? error.message : error}`;
        }
        return cli.stream.end === undefined ? undefined : `${who} lost its stream`;
      }),
    );
    demandNone(problems.filter((problem) => problem !== undefined));
    // One disconnects; the others must not notice.
    clis[0]?.stream.cut();
    await clis[1]?.stream.listen(limits.quiet);
    demand(
      clis.slice(1).every(({ stream }) => stream.end === undefined),
      "when one CLI disconnected, another lost its stream",
    );
  },
};

export const streamReopens: Check = {
  id: "stream-reopens",
  title: "a stream that broke is opened again in its session",
  requirements: ["T17"],
  lane: "wire",
  async run({ wire, agents, limits }) {
    for (const agent of agents) {
      const session = await wire.connect({ agent });
      session.stream.cut();
      await delay(limits.reopening);
      await session.openStream();
      const { result, message } = await session.request("tools/list", {});
      demand(result !== undefined, `after that, tools/list was answered ${JSON.stringify(message)}`);
    }
  },
};

export const streamStays: Check = {
  id: "stream-stays",
  title: "the companion does not end a stream",
  requirements: ["T18"],
  lane: "wire",
  async run({ wire, limits, note }) {
    const { stream } = await wire.connect();
    await stream.listen(limits.silence);
    const seconds = (performance.now() - stream.openedAt) / 1000;
    demand(stream.end === undefined, `the stream was ended after ${seconds.toFixed(1)} s`);
    note(`The stream was open for ${seconds.toFixed(0)} s.`);
  },
};

export const keepAlive: Check = {
  id: "keep-alive",
  title: "a stream is never silent for long",
  requirements: ["T19"],
  lane: "wire",
  async run({ wire, limits, note }) {
    const { stream } = await wire.connect();
    await stream.find(({ events }) => events[0], limits.event);
    const since = Math.max(performance.now(), stream.lastSign);
    const sign = await stream.find(
      ({ lastSign }) => (lastSign > since ? lastSign : undefined),
      limits.silence,
    );
    if (sign !== undefined)
      return note(`Something came after ${((sign - since) / 1000).toFixed(1)} s of silence.`);
    demand(stream.end === undefined, "the stream was ended");
    const silent = `nothing came for ${limits.silence / 1000} s`;
    demand(
      limits.silence < limits.longestSilence,
      `${silent}; the CLIs give up after ${limits.longestSilence / 1000} s`,
    );
    throw new NotRun(`${silent}, which is allowed; --silence 310 listens for longer than the CLIs do`);
  },
};

const crowd = 50;

export const comingAndGoing: Check = {
  id: "coming-and-going",
  title: `${crowd} CLIs disconnect without DELETE, and the next one is served`,
  requirements: ["T20"],
  lane: "wire",
  async run({ wire }) {
    for (let index = 0; index < crowd; index += 1) {
      const session = await wire.connect();
      session.stream.cut();
    }
    const { result } = await (await wire.connect()).request("tools/list", {});
    demand(result !== undefined, "tools/list was not answered");
  },
};
