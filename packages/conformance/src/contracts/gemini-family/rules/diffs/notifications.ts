import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Broken, byUser, demand, NotRun, quote } from "../../../check.ts";
import { changing, toEveryOne } from "../../../fault.ts";
import { code, mcp, neovimPage, observed, recommended } from "../../../requirement.ts";
import { accepted, calling, neverRejecting, rejected } from "../../faults.ts";
import { closeDiff, openDiff } from "../../wire.ts";
import type { FamilyGroup } from "../means.ts";
import { decide, decided, outcomesOf, propose, untilDecided } from "./closing.ts";

const methods = (list: readonly { method: string }[]) => list.map(({ method }) => method).join(", ");

export const notificationsRules: FamilyGroup = {
  P11: {
    MUST: "`filePath` comes back exactly as it was sent, never normalised.",
    sources: code("The CLI compares the strings, and waits forever if they differ."),
    check: "exact-path",
    lane: "proposals",
    async run({ connect, path, limits }) {
      const session = await connect();
      // Joined by string concatenation: a path library would normalise them.
      const folder = path("x").slice(0, -1);
      const odd = [
        `${folder}y/../odd.txt`,
        `${folder}/odd.txt`,
        `${folder}./odd.txt`,
        `${folder}e\u0301.txt`,
        `${folder}a "b" 'c' 100%.txt`,
      ];
      for (const [count, file] of odd.entries()) {
        await openDiff(session, file, "proposed\n");
        await closeDiff(session, file, false);
        const next = await session.stream.find(() => outcomesOf(session)[count], limits.event);
        if (!next && count === 0) throw new NotRun(`no ${rejected} follows closeDiff`);
        const came = next?.params.filePath;
        demand(came === file, `${quote(file)} was sent, ${quote(came)} came back`);
      }
    },
    fault: {
      down: changing(rejected, ({ filePath }) => ({ filePath: path.normalize(String(filePath)) })),
      says: /y\/\.\.\/odd\.txt" was sent, ".*exact-path\/odd\.txt" came back/,
    },
  },
  P12: {
    MUST: "Nothing follows a `closeDiff` with `suppressNotification: true`.",
    sources: observed("The user has decided in the terminal; a notification would race with it."),
    check: "suppressed",
    lane: "proposals",
    async run({ connect, agents, write, limits }) {
      for (const agent of agents) {
        const { session, file } = await propose({ connect, write }, `${agent}.txt`, { agent });
        await closeDiff(session, file, true);
        await session.stream.listen(limits.quiet);
        const outcomes = outcomesOf(session, file);
        demand(outcomes.length === 0, `${methods(outcomes)} came to ${session}, which had decided already`);
      }
    },
    fault: {
      up: calling("closeDiff", () => ({ suppressNotification: false })),
      says: /ide\/diffRejected came to Gemini CLI, which had decided already/,
    },
  },
  P13: {
    SHOULD: "A rejection follows a `closeDiff` without `suppressNotification`.",
    sources: neovimPage("closeDiff", "The argument says: don't send the notification."),
    check: "unsuppressed",
    lane: "proposals",
    async run({ connect, agents, write }) {
      for (const agent of agents) {
        const { session, file } = await propose({ connect, write }, `${agent}.txt`, { agent });
        await session.call("closeDiff", { filePath: file });
        const { method } = await untilDecided(session, file);
        demand(method === rejected, `${method} came to ${session}`);
      }
    },
    fault: { ...neverRejecting, says: /no outcome for .* came/ },
  },
  P14: {
    MUST: "A diff has one outcome, sent once.",
    sources: recommended("A second one may decide the next diff of the same file."),
    check: "once",
    ...byUser,
    async run({ connect, editor, write, limits }) {
      const session = await connect();
      const [first, second] = [await write("once.txt", "before\n"), await write("once-more.txt", "before\n")];
      await openDiff(session, first, "proposed\n");
      await editor.accept(first);
      await untilDecided(session, first);
      await openDiff(session, second, "proposed\n");
      await editor.reject(second);
      await untilDecided(session, second);
      await session.stream.listen(limits.quiet);
      for (const file of [first, second]) {
        const outcomes = outcomesOf(session, file);
        demand(outcomes.length === 1, `one outcome of ${file} was expected, there came ${methods(outcomes)}`);
      }
    },
    fault: {
      // The view that closes after an acceptance counts as a rejection.
      down(message, { tell }) {
        if (message.method !== accepted) return message;
        tell(message);
        return { ...message, method: rejected };
      },
      says: /there came ide\/diffAccepted, ide\/diffRejected/,
    },
  },
  P15: {
    MUST: "Only the session that opened a diff receives its outcome.",
    sources: recommended("Another CLI may be waiting for a diff of the same file."),
    check: "own-session",
    lane: "editor",
    async run(bench) {
      const { connect, agents, write, limits } = bench;
      const { session: owner, file } = await propose({ connect, write }, "own.txt");
      const others = [];
      for (const agent of [...agents, ...agents]) others.push(await connect({ agent }));
      await decided(bench, owner, file);
      await owner.stream.listen(limits.quiet);
      for (const [index, other] of others.entries()) {
        const outcomes = outcomesOf(other);
        demand(outcomes.length === 0, `${methods(outcomes)} also came to session ${index + 2}, ${other}`);
      }
    },
    fault: { down: toEveryOne(accepted), says: /also came to session 2/ },
  },
  P19: {
    SHOULD: "An outcome for a session whose stream is down is sent on its next stream.",
    sources: observed("A stream that broke is opened again after one second; the CLI still waits."),
    check: "stream-down",
    proves: ["P14"],
    lane: "editor",
    async run(bench) {
      const { connect, write, limits } = bench;
      const { session, file } = await propose({ connect, write }, "stream-down.txt");
      const last = session.stream.lastEventId;
      session.stream.cut();
      await delay(limits.quiet);
      await decide(bench, session, file);
      // As both CLIs do: with the id of the last event, if there was one.
      await session.openStream(last === undefined ? {} : { "last-event-id": last });
      await untilDecided(session, file);
      await session.stream.listen(limits.quiet);
      const outcomes = outcomesOf(session, file);
      demand(outcomes.length === 1, `one outcome was expected, there came ${methods(outcomes)}`);
    },
    fault: {
      down: (message, { opened }) => (message.method === accepted && opened > 1 ? undefined : message),
      says: /no outcome for .* came/,
    },
  },
  P20: {
    SHOULD:
      "Events have ids, and a stream that is opened again with `Last-Event-ID` gets the outcomes after it, and none before.",
    sources: [
      mcp("Transports", "The server MAY replay what came after the event that the client names."),
      observed("Both CLIs name the last event that they have received, when events have ids."),
    ],
    check: "resume",
    lane: "editor",
    async run(bench) {
      const { connect, write, limits } = bench;
      const session = await connect();
      const file = await write("resume.txt", "before\n");
      await session.stream.find(({ events }) => events[0], limits.event);
      const before = session.stream.lastEventId;
      await openDiff(session, file, "proposed\n");
      await decided(bench, session, file);
      const isOutcome = ({ notification }: { notification: { method: string } | undefined }) =>
        notification?.method === accepted || notification?.method === rejected;
      const id = session.stream.events.find(isOutcome)?.id;
      if (id === undefined)
        throw new Broken("the event of an outcome has no id: a CLI cannot say whether it has received it");
      if (before === undefined)
        throw new Broken("no event before an outcome has an id: a CLI that has received none cannot say so");
      const again = async (last: string) => {
        session.stream.cut();
        await delay(limits.quiet);
        const stream = await session.openStream({ "last-event-id": last });
        await stream.find(
          ({ events }) => events.find(isOutcome),
          last === before ? limits.event : limits.quiet,
        );
        return stream.events.filter(isOutcome).length;
      };
      const lost = await again(before);
      demand(
        lost === 1,
        `a CLI that has received no more than the event ${before} must get the outcome once more, got it ${lost} times`,
      );
      const received = await again(session.stream.lastEventId ?? id);
      demand(
        received === 0,
        `a CLI that has received the event ${session.streams.at(-2)?.lastEventId} must not get the outcome again`,
      );
    },
    fault: {
      head: ({ headers: { "last-event-id": _, ...headers } }) => headers,
      says: /must get the outcome once more, got it 0 times/,
    },
  },
};
