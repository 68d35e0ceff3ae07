import { demand, demandNone, NotRun } from "../../assertions.ts";
import type { CliSession } from "../../wire/cli-session.ts";
import type { EventStream } from "../../wire/event-stream.ts";
import { isJson } from "../../wire/json-rpc.ts";
import type { Bench, Check } from "../check.ts";

/** Opens a stream on `/events`. @throws NotRun when the companion does not offer it */
async function observe({ wire }: Bench, session: CliSession): Promise<EventStream> {
  const headers = { ...session.headers, accept: "text/event-stream" };
  const { status } = await wire.send({ method: "GET", path: "/events", headers });
  if (status === 404 || status === 405) throw new NotRun("/events is not offered");
  return session.openStream({}, "/events");
}

const contextUpdate = "notifications/context-update";

export const eventsEndpoint: Check = {
  id: "events-endpoint",
  title: "GET /events sends the context to clients with the token",
  requirements: ["T23"],
  lane: "wire",
  async run(bench) {
    const stream = await observe(bench, bench.wire.newSession());
    const headers = { accept: "text/event-stream" };
    const { status } = await bench.wire.send({ method: "GET", path: "/events", headers });
    demand(status === 401, `without the token /events must be answered 401, got ${status}`);
    const context = await stream.find((events) => events.all(contextUpdate)[0], bench.limits.event);
    demand(context !== undefined, `no ${contextUpdate} came`);
    const { openFiles } = context.params;
    demand(
      Array.isArray(openFiles),
      `${contextUpdate} must have openFiles, got ${JSON.stringify(context.params)}`,
    );
  },
};

export const eventsContext: Check = {
  id: "events-context",
  title: "GET /events sends file, cursor and selection under its own names",
  requirements: ["T23"],
  lane: "editor",
  needs: ["editor-command"],
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
    demand(
      found !== undefined,
      `no activeFile with the selection ${JSON.stringify(wanted)} came, last ${last}`,
    );
    const { openFiles, activeFile } = found.params;
    const { cursorPosition } = isJson(activeFile) ? activeFile : {};
    const listed = Array.isArray(openFiles) ? openFiles.filter(isJson) : [];
    demandNone([
      ...(isJson(cursorPosition) && typeof cursorPosition.line === "number"
        ? []
        : [`cursorPosition is ${JSON.stringify(cursorPosition)}`]),
      ...(listed.some(({ path, timestamp }) => path === file && typeof timestamp === "number")
        ? []
        : [`openFiles does not list ${file} with a timestamp: ${JSON.stringify(openFiles)}`]),
    ]);
  },
};

export const eventsOutcome: Check = {
  id: "events-outcome",
  title: "GET /events sends the outcomes of its session under its own names",
  requirements: ["T26"],
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
      `"proposed\\n" was accepted, its content is ${JSON.stringify(params.content)}`,
    );
  },
};
