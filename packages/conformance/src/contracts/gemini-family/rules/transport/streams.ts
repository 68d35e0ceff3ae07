import type { EventStream } from "../../../../wire/event-stream.ts";
import { isJson } from "../../../../wire/json-rpc.ts";
import { byUser, demand, demandNone, NotRun, quote, unless } from "../../../check.ts";
import { changing } from "../../../fault.ts";
import { mcp, neovimPage, recommended } from "../../../requirement.ts";
import { rejected } from "../../faults.ts";
import type { CliSession } from "../../wire/cli-session.ts";
import type { Bench, FamilyGroup } from "../means.ts";

/** Opens a stream on `/events`. @throws NotRun when the companion does not offer it */
async function observe({ wire }: Bench, session: CliSession): Promise<EventStream> {
  const headers = { ...session.headers, accept: "text/event-stream" };
  const { status } = await wire.send({ method: "GET", path: "/events", headers });
  if (status === 404 || status === 405) throw new NotRun("/events is not offered");
  return session.openStream({}, "/events");
}

const contextUpdate = "notifications/context-update";

export const streamsRules: FamilyGroup = {
  T16: {
    MUST: "A message goes out on one stream of a session only.",
    sources: mcp("Transports", "The same message MUST NOT be sent on several streams."),
    check: "one-stream",
    lane: "proposals",
    async run({ wire, limits, path, note }) {
      const session = await wire.connect();
      const [first] = session.streams;
      const second = await session.openStream().catch(() => undefined); // refusing it fulfils the rule too
      if (!second) return note("A second stream is refused.");
      const file = path("one.txt");
      await session.openDiff(file, "one\n");
      await session.closeDiff(file, false);
      const rejections = () => [first, second].map((stream) => stream?.all("ide/diffRejected").length ?? 0);
      await Promise.race(
        [first, second].map((stream) => stream?.find(() => rejections().find(Boolean), limits.event)),
      );
      await second.listen(limits.quiet);
      const count = rejections().reduce((sum, one) => sum + one, 0);
      if (count === 0) throw new NotRun("no notification came that could have been doubled");
      demand(
        count === 1,
        `one ide/diffRejected was expected on two streams, got ${rejections().join(" and ")}`,
      );
    },
    fault: {
      down(message, { tellAll }) {
        if (message.method !== rejected) return message;
        tellAll(message);
        return undefined;
      },
      says: /one ide\/diffRejected was expected.*1 and 1/,
    },
  },
  T22: {
    MUST: "When events have ids, no two events of a session have the same.",
    sources: mcp("Transports", "An event's id MUST be unique across all streams of a session."),
    check: "event-ids",
    async run({ wire, limits, note }) {
      const session = await wire.connect();
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
      note(`Ids: ${ids.join(", ")}`);
    },
    fault: { eventId: (id) => id.replace(/-.*/, ""), says: /events with the id 0/ },
  },
  T23: {
    MAY: "`GET /events` sends the context as `notifications/context-update`, `openFiles` with `path` and `timestamp`, `activeFile` with `path`, `cursorPosition` and `selection`, to clients with the token only.",
    sources: [
      neovimPage("HTTP Connection", "There is `/events` next to `/mcp`; all requests include the token."),
      neovimPage("Notification Events", "Its name and fields."),
    ],
    check: "events-endpoint",
    title: "GET /events sends the context to clients with the token",
    async run(bench) {
      const stream = await observe(bench, bench.wire.newSession());
      const headers = { accept: "text/event-stream" };
      const { status } = await bench.wire.send({ method: "GET", path: "/events", headers });
      demand(status === 401, `without the token /events must be answered 401, got ${status}`);
      const context = await stream.find((events) => events.all(contextUpdate)[0], bench.limits.event);
      demand(context !== undefined, `no ${contextUpdate} came`);
      const { openFiles } = context.params;
      demand(Array.isArray(openFiles), `${contextUpdate} must have openFiles, got ${quote(context.params)}`);
    },
    fault: {
      head: ({ path, headers, token }) =>
        path === "/events" ? { ...headers, authorization: token } : headers,
      says: /without the token \/events must be answered 401, got 200/,
    },
    more: [
      {
        check: "events-context",
        title: "GET /events sends file, cursor and selection under its own names",
        ...byUser,
        async run(bench) {
          const { editor, write, limits } = bench;
          const stream = await observe(bench, bench.wire.newSession());
          const file = await write("events.txt", "first line\nsecond line\n");
          await editor.select(file, { line: 1, column: 1 }, { line: 2, column: 7 });
          const wanted = "first line\nsecond";
          const found = await stream.find(
            (events) =>
              events.all(contextUpdate).findLast(({ params: { activeFile } }) => {
                return isJson(activeFile) && activeFile.path === file && activeFile.selection === wanted;
              }),
            limits.event,
          );
          const last = JSON.stringify(stream.all(contextUpdate).at(-1)?.params);
          demand(found !== undefined, `no activeFile with the selection ${quote(wanted)} came, last ${last}`);
          const { openFiles, activeFile } = found.params;
          const { cursorPosition } = isJson(activeFile) ? activeFile : {};
          const listed = Array.isArray(openFiles) ? openFiles.filter(isJson) : [];
          demandNone([
            ...unless(
              isJson(cursorPosition) && typeof cursorPosition.line === "number",
              `cursorPosition is ${quote(cursorPosition)}`,
            ),
            ...unless(
              listed.some(({ path, timestamp }) => path === file && typeof timestamp === "number"),
              `openFiles does not list ${file} with a timestamp: ${quote(openFiles)}`,
            ),
          ]);
        },
        fault: {
          down: changing(contextUpdate, ({ openFiles }) => ({ openFiles })),
          says: /no activeFile with the selection/,
        },
      },
    ],
  },
  T24: {
    MAY: "`GET /health` answers without a token, and then reveals only that the companion runs.",
    sources: recommended("It shows quickly which end of a broken connection is dead."),
    check: "health",
    title: "GET /health reveals nothing without the token",
    async run({ wire, target }) {
      const { status, body } = await wire.send({ method: "GET", path: "/health" });
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
  T26: {
    MAY: "`GET /events` in a session sends its outcomes as `notifications/ide/diffAccepted` with `filePath` and `content`, and `notifications/ide/diffRejected` with `filePath`.",
    sources: neovimPage("Notification Events", "Their names and fields."),
    check: "events-outcome",
    title: "GET /events sends the outcomes of its session under its own names",
    lane: "editor",
    async run(bench) {
      const { wire, hasEditor, editor, path, limits, note } = bench;
      const session = await wire.greet();
      const stream = await observe(bench, session);
      const outcome = async (word: string, file: string) => {
        const method = `notifications/ide/${word}`;
        const found = await stream.find(
          (events) => events.all(method).find(({ params }) => params.filePath === file),
          limits.event,
        );
        const others = stream.events.map(({ notification }) => notification?.method).join(", ");
        demand(found !== undefined, `no ${method} for ${file} came; there came ${others}`);
        session.openDiffs.delete(file);
        return found;
      };
      const [rejected, accepted] = [path("rejected.txt"), path("accepted.txt")];
      await session.openDiff(rejected, "proposed\n");
      if (hasEditor) await editor.reject(rejected);
      else await session.closeDiff(rejected, false);
      await outcome("diffRejected", rejected);
      if (!hasEditor) return note("An acceptance needs --editor-command.");
      await session.openDiff(accepted, "proposed\n");
      await editor.accept(accepted);
      const { params } = await outcome("diffAccepted", accepted);
      demand(
        params.content === "proposed\n",
        `"proposed\\n" was accepted, its content is ${quote(params.content)}`,
      );
    },
    fault: {
      // As on the stream of /mcp.
      down: (message) => ({
        ...message,
        method: String(message.method).replace(/^notifications.ide/, "ide"),
      }),
      says: /no notifications\/ide\/diffRejected for .* came; there came .*ide\/diffRejected/,
    },
  },
};
