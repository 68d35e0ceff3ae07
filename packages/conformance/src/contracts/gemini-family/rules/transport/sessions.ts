import { setTimeout as delay } from "node:timers/promises";
import { demand, demandNone, NotRun } from "../../../check.ts";
import { statusOfList } from "../../../http-checks.ts";
import type { HttpCli } from "../../../http-cli.ts";
import { mcp, observed } from "../../../requirement.ts";
import type { FamilyGroup } from "../means.ts";

/** @throws NotRun when the companion issues no ids. */
function withId(session: HttpCli): HttpCli {
  if (session.id === undefined) throw new NotRun("the companion issues no session ids");
  return session;
}

const crowd = 50;

export const sessionsRules: FamilyGroup = {
  T13: {
    MUST: "A companion that issues session ids answers 404 to one that it has not issued, so that a CLI starts a new session.",
    sources: mcp("Transports", "A session that is over MUST be answered 404."),
    check: "unknown-session",
    async run({ greet }) {
      const session = withId(await greet());
      session.id = "00000000-0000-4000-8000-000000000000";
      const status = await statusOfList(session);
      demand(status === 404, `404 was expected, got ${status}`);
    },
    fault: { status: (status) => (status === 404 ? 200 : status), says: /404 was expected, got 200/ },
  },
  T14: {
    SHOULD: "A companion that issues session ids answers 400 to a request without one, except `initialize`.",
    sources: mcp("Transports", "Servers that require a session id SHOULD answer 400 without it."),
    check: "missing-session",
    async run({ greet }) {
      const session = withId(await greet());
      session.id = undefined;
      const status = await statusOfList(session);
      demand(status === 400, `400 was expected, got ${status}`);
    },
    fault: { status: (status) => (status === 400 ? 200 : status), says: /400 was expected, got 200/ },
  },
  T15: {
    MUST: "Several CLIs of both kinds are connected at once, and each is answered.",
    sources: observed(
      "Both CLIs run side by side in one editor. Where they share one MCP server object, the second one makes the first one's calls time out.",
    ),
    check: "several-clis",
    async run({ connect, agents, limits }) {
      const clis: HttpCli[] = [];
      for (const agent of [...agents, ...agents]) clis.push(await connect({ agent }));
      const problems = await Promise.all(
        clis.map(async (cli, index) => {
          const who = `CLI ${index + 1} of ${clis.length}, ${cli},`;
          try {
            for (let round = 0; round < 5; round += 1) await cli.list();
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
    fault: {
      // All sessions share one MCP server object.
      down: (message, { all, memory }, { method = "initialize" }) =>
        method === "initialize" || all.at(-1)?.memory === memory ? message : undefined,
      says: /CLI 1 of 4, Gemini CLI, was not answered while the others were/,
    },
  },
  T17: {
    MUST: "A session outlives its stream by some seconds: a stream that broke is opened again in the same session.",
    sources: observed("Both CLIs open a stream that broke again after one second, in the same session."),
    check: "stream-reopens",
    async run({ connect, agents, limits }) {
      for (const agent of agents) {
        const session = await connect({ agent });
        session.stream.cut();
        await delay(limits.reopening);
        await session.openStream();
        await session.list();
      }
    },
    fault: {
      status: (status, { method }, { opened }) => (method === "GET" && opened > 1 ? 404 : status),
      says: /GET \/mcp was answered 404/,
    },
  },
  T18: {
    MUST: "Nothing on the companion's side ends a stream.",
    sources: observed("After a break a CLI still takes contexts, but opens no diffs before `/ide enable`."),
    check: "stream-stays",
    async run({ connect, limits }) {
      const { stream } = await connect();
      await stream.listen(limits.silence);
      const seconds = (performance.now() - stream.openedAt) / 1000;
      demand(stream.end === undefined, `the stream was ended after ${seconds.toFixed(1)} s`);
    },
    fault: {
      down(message, { cutAll }) {
        setTimeout(cutAll, 300);
        return message;
      },
      says: /the stream was ended after 0\.\d s/,
    },
  },
  T19: {
    MUST: "A stream is never silent for five minutes: a comment every 15 s is enough.",
    sources: observed('After five silent minutes a CLI drops the stream and says "Disconnected".'),
    check: "keep-alive",
    async run({ connect, limits, note }) {
      const { stream } = await connect();
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
    fault: {
      // The proxy passes no comments.
      says: /the CLIs give up/,
    },
  },
  T20: {
    SHOULD: "CLIs that disconnect without DELETE leave nothing behind that slows the companion down.",
    sources: observed("Neither CLI ever sends DELETE: when it exits, its stream closes."),
    check: "coming-and-going",
    async run({ connect }) {
      for (let index = 0; index < crowd; index += 1) {
        const session = await connect();
        session.stream.cut();
      }
      await (await connect()).list();
    },
    fault: {
      status: (status, { asked }, { all }) =>
        asked.method === "initialize" && all.length > 20 ? 503 : status,
      says: /initialize was answered 503/,
    },
  },
};
