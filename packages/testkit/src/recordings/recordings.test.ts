import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { listen } from "../listen.ts";
import { poll } from "../waiting.ts";
import { play } from "./player.ts";
import { Recorder } from "./recorder.ts";
import { formatRecording, type RecordingHeader, readRecording, type UserAction } from "./recording.ts";

/** A companion of a few lines: it answers each message, notifies on its stream, and echoes frames. */
async function startCompanion({ session = "s-1", answer = "done", token = "secret-1" } = {}) {
  const streams = new Set<ServerResponse>();
  let events = 0;
  const notify = (method: string, params: object, times = 1) => {
    let text = "";
    for (let count = 0; count < times; count += 1) {
      events += 1;
      text += `id: ${session}-${events}\ndata: ${JSON.stringify({ method, params })}\n\n`;
    }
    // At once, so that they also arrive at once.
    for (const stream of streams) stream.write(text);
  };
  const server = createServer(async (incoming, response) => {
    if (incoming.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    if (incoming.method === "GET") {
      streams.add(response);
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      return notify("context", { timestamp: Date.now() });
    }
    const { id } = JSON.parse(await text(incoming));
    const headers = { "content-type": "application/json", "mcp-session-id": session };
    response.writeHead(200, headers).end(JSON.stringify({ id, result: answer }));
  });
  const sockets = new WebSocketServer({ server, handleProtocols: () => "mcp" });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(`{"echo":${data}}`)));
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });
  return { port, token, notify };
}

function headerOf(transport: RecordingHeader["transport"]): RecordingHeader {
  const header = { agent: "toy", version: "1.0.0", scenario: "a test", date: "2026-11-23", transport };
  return { ...header, states: ["context"] };
}

/** What a CLI of HTTP does while the user rejects a diff. */
async function record() {
  const companion = await startCompanion();
  const values = { workspace: "/home/anna/project", "token.toy": companion.token };
  const recorder = await new Recorder({ target: companion.port, values, header: headerOf("http") }).listen();
  onTestFinished(() => recorder.close());
  const headers = { authorization: `Bearer ${companion.token}` };
  const connection = { host: "127.0.0.1", port: recorder.port, headers, agent: false };
  const posted = request({ ...connection, method: "POST", path: "/mcp" });
  posted.end(JSON.stringify({ id: 1, path: "/home/anna/project/a.txt" }));
  const [answer] = await once(posted, "response");
  await text(answer);
  const asked = request({ ...connection, path: "/mcp" }).end();
  const [stream] = await once(asked, "response");
  await once(stream, "data");
  recorder.user({ action: "reject", path: "/home/anna/project/a.txt" });
  companion.notify("rejected", { path: "/home/anna/project/a.txt" });
  await once(stream, "data");
  stream.on("error", () => {}); // its own end
  asked.destroy();
  const hasEnd = () =>
    JSON.stringify(recorder.recording().entries.at(-1)).includes("close") ? true : undefined;
  await poll("the end of the stream", hasEnd);
  return recorder.recording();
}

test("a recording holds nothing of the machine, and can be read back", async () => {
  const recording = await record();
  const content = formatRecording(recording);
  expect(content).not.toMatch(/anna|secret|s-1/);
  expect(content).toContain('"path":"{workspace}/a.txt"');
  expect(content).toContain('"authorization":"Bearer {token.toy}"');
  const folder = mkdtempSync(join(tmpdir(), "recording-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "a.jsonl"), content);
  expect(readRecording(join(folder, "a.jsonl"))).toEqual(recording);
  writeFileSync(join(folder, "b.jsonl"), content.replace('"request"', '"wish"'));
  expect(() => readRecording(join(folder, "b.jsonl"))).toThrow("b.jsonl:2 is not a part of a recording");
});

test("a recording plays with another workspace, token and session", async () => {
  const recording = await record();
  const { port, notify } = await startCompanion({ session: "other", token: "secret-2" });
  const actions: UserAction[] = [];
  const perform = (action: UserAction) => {
    actions.push(action);
    notify("rejected", { path: "/srv/a.txt" });
  };
  await play(recording, { port, values: { workspace: "/srv", "token.toy": "secret-2" }, perform });
  expect(actions).toEqual([{ action: "reject", path: "/srv/a.txt" }]);
});

test("a companion that answers something else is found out, with the line", async () => {
  const recording = await record();
  const { port, token } = await startCompanion({ answer: "else" });
  const played = play(recording, {
    port,
    values: { workspace: "/srv", "token.toy": token },
    perform: () => {},
  });
  await expect(played).rejects.toThrow(
    /^toy 1.0.0, a test, line 3: the companion sends .*"else".* instead of/,
  );
});

test("a message that the companion does not send, or sends too much, is found out", async () => {
  const recording = await record();
  const { port, token, notify } = await startCompanion();
  const options = { port, values: { workspace: "/srv", "token.toy": token } };
  await expect(play(recording, { ...options, within: 50, perform: () => {} })).rejects.toThrow(
    "the companion sends nothing within 50 ms",
  );
  const twice = () => notify("rejected", { path: "/srv/a.txt" }, 2);
  const unfinished = { ...recording, entries: recording.entries.slice(0, -1) };
  await expect(play(unfinished, { ...options, perform: twice })).rejects.toThrow("the companion also sends");
});

test("newer states may come in place of one that is recorded", async () => {
  const recording = await record();
  const { port, token, notify } = await startCompanion();
  const perform = () => {
    notify("context", { timestamp: 2 });
    notify("rejected", { path: "/srv/a.txt" });
  };
  await play(recording, { port, values: { workspace: "/srv", "token.toy": token }, perform });
});

test("frames of a WebSocket are recorded and played, with its protocol and its end", async () => {
  const companion = await startCompanion();
  const recorder = await new Recorder({
    target: companion.port,
    values: {},
    header: headerOf("websocket"),
  }).listen();
  onTestFinished(() => recorder.close());
  const socket = new WebSocket(`ws://127.0.0.1:${recorder.port}/`, ["mcp"], { headers: { "x-own": "1" } });
  await once(socket, "open");
  expect(socket.protocol).toBe("mcp");
  socket.send('{"pid":4711}');
  const [data] = await once(socket, "message");
  expect(String(data)).toBe('{"echo":{"pid":4711}}');
  socket.close(1000);
  await once(socket, "close");
  const recording = recorder.recording();
  expect(recording.entries).toEqual([
    {
      on: 1,
      request: {
        method: "GET",
        path: "/",
        headers: { upgrade: "websocket", "x-own": "1", "sec-websocket-protocol": "mcp" },
      },
    },
    { on: 1, response: { status: 101, headers: { "sec-websocket-protocol": "mcp" } } },
    { on: 1, from: "cli", frame: { pid: "{pid}" } },
    { on: 1, from: "companion", frame: { echo: { pid: "{pid}" } } },
    { on: 1, from: "cli", close: { code: 1000 } },
  ]);
  await play(recording, { port: companion.port, values: {}, perform: () => {} });
});

test("a WebSocket that is cut ends by the CLI, and a state that is sent again is recorded once", async () => {
  const companion = await startCompanion();
  // What this companion echoes is a state when it is `echo`.
  const header = { ...headerOf("websocket"), states: ["state"] };
  const recorder = await new Recorder({ target: companion.port, values: {}, header }).listen();
  onTestFinished(() => recorder.close());
  const socket = new WebSocket(`ws://127.0.0.1:${recorder.port}/`, { headers: { "x-own": "1" } });
  await once(socket, "open");
  for (const frame of [{ method: "state" }, { method: "other" }, { method: "state" }]) {
    socket.send(JSON.stringify(frame));
    await once(socket, "message");
  }
  recorder.cut();
  await once(socket, "close");
  const { entries } = recorder.recording();
  expect(entries.filter((entry) => "from" in entry && entry.from === "cli").slice(-2)).toEqual([
    { on: 1, from: "cli", frame: { method: "other" } },
    { on: 1, from: "cli", close: { code: 1006 } },
  ]);
});
