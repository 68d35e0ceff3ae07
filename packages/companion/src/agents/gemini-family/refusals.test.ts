import { expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { openWireStream, send } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { startCore } from "../../testing/core.ts";

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

test.each([
  ["no token", {}],
  ["a wrong token", { authorization: "Bearer wrong" }],
  ["a token without its scheme", { authorization: "TOKEN" }],
  ["another scheme", { authorization: "Basic TOKEN" }],
  ["an empty token", { authorization: "Bearer " }],
  ["a token and more", { authorization: "Bearer TOKEN x" }],
])("%s is refused with a sentence that helps", async (_, headers) => {
  const { companion, client } = await startCore();
  const { token } = client();
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace("TOKEN", token)]),
  );
  for (const path of ["/mcp", "/elsewhere"]) {
    const reply = await send(companion.port, { path, headers: filled, body: ping });
    expect([path, reply.status]).toEqual([path, 401]);
    expect(reply.body).toContain("/ide enable");
    expect(reply.body).not.toContain(token);
  }
});

test("a doubled token is refused, even when one of them is right", async () => {
  const { companion, client } = await startCore();
  const headers = ["Host", `127.0.0.1:${companion.port}`, "Authorization", `Bearer ${client().token}`];
  const reply = await send(companion.port, {
    headers: [...headers, "Authorization", "Bearer other"],
    body: ping,
  });
  expect(reply).toMatchObject({ status: 401, body: expect.stringContaining("2 of them") });
});

test.each(["http://evil.example", "null", "http://127.0.0.1:80", ""])(
  "a browser (Origin %j) is refused",
  async (origin) => {
    const { companion, client } = await startCore();
    const headers = { authorization: `Bearer ${client().token}`, origin };
    expect((await send(companion.port, { headers, body: ping })).status).toBe(403);
    const preflight = { origin, "access-control-request-method": "POST" };
    const reply = await send(companion.port, { method: "OPTIONS", headers: preflight });
    expect(reply.status).toBe(403);
    expect(reply.headers["access-control-allow-origin"]).toBeUndefined();
  },
);

test.each(["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example", "[::1]:PORT"])(
  "a foreign Host (%s) is refused",
  async (host) => {
    const { companion, client } = await startCore();
    const headers = {
      authorization: `Bearer ${client().token}`,
      host: host.replace("PORT", String(companion.port)),
    };
    expect((await send(companion.port, { headers, body: ping })).status).toBe(403);
  },
);

test.each(["127.0.0.1", "localhost", "LOCALHOST", "host.docker.internal"])(
  "Host %s with our port is answered",
  async (name) => {
    const { companion, client } = await startCore();
    const headers = { authorization: `Bearer ${client().token}`, host: `${name}:${companion.port}` };
    const reply = await send(companion.port, { method: "GET", path: "/health", headers });
    expect(reply.status).toBe(200);
  },
);

test("/health tells a stranger that we are alive and nothing else, a holder of the token what is open", async () => {
  const { companion, client, root } = await startCore();
  const stranger = await send(companion.port, { method: "GET", path: "/health" });
  expect([stranger.status, stranger.body]).toEqual([200, '{"status":"ok"}']);
  const cli = await client("qwen").initialize();
  await cli.openStream();
  await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b" });
  const holder = await send(companion.port, { method: "GET", path: "/health", headers: cli.headers });
  expect(JSON.parse(holder.body)).toMatchObject({
    status: "ok",
    pid: process.pid,
    editor: { name: "memory", displayName: "Memory" },
    roots: [root],
    sessions: [{ agent: "Qwen Code", streaming: true }],
    diffs: [{ filePath: "/x/a.ts", agent: "Qwen Code" }],
  });
});

test("what is wrong with a request is named", async () => {
  const { companion, client } = await startCore();
  const cli = await client().initialize();
  const { headers } = cli;
  const { "mcp-session-id": _, ...withoutSession } = headers;
  const cases: [number, string, Parameters<typeof send>[1]][] = [
    [404, "MCP is served at /mcp", { headers, path: "/nowhere", body: ping }],
    [405, "not to PUT", { headers, method: "PUT", body: ping }],
    [406, "text/event-stream", { headers: { ...headers, accept: "application/json" }, body: ping }],
    [406, "Accept header must include", { headers: { ...headers, accept: "text/html" }, method: "GET" }],
    [415, "got text/plain", { headers: { ...headers, "content-type": "text/plain" }, body: ping }],
    [400, "not valid JSON", { headers, body: '{"jsonrpc":' }],
    [400, "not valid UTF-8", { headers, body: Buffer.from([0x22, 0xff, 0x22]) }],
    [400, "not a JSON-RPC 2.0 message", { headers, body: '{"hello":1}' }],
    [400, "1 to 100 messages, got 0", { headers, body: "[]" }],
    [400, "send initialize first", { headers: withoutSession, body: ping }],
    [404, "initialize again", { headers: { ...headers, "mcp-session-id": "expired" }, body: ping }],
    [
      404,
      "initialize again",
      { headers: { ...headers, authorization: `Bearer ${client("qwen").token}` }, body: ping },
    ],
    [
      400,
      "version 1999-01-01",
      { headers: { ...headers, "mcp-protocol-version": "1999-01-01" }, body: ping },
    ],
  ];
  for (const [status, sentence, request] of cases) {
    const reply = await send(companion.port, request);
    expect([reply.status, reply.body]).toEqual([status, expect.stringContaining(sentence)]);
  }
  expect((await cli.request("ping", {})).message).toEqual({ result: {} });
});

test("a body over 16 MiB is refused, declared or streamed, and the server goes on", async () => {
  const { companion, client } = await startCore();
  const cli = await client().initialize();
  const declared = { ...cli.headers, "content-length": 17 * 1024 * 1024 };
  const reply = await send(companion.port, { headers: declared, body: Buffer.alloc(17 * 1024 * 1024, 32) });
  expect([reply.status, reply.body]).toEqual([413, expect.stringContaining("16 MiB")]);
  const streamed = { ...cli.headers, "transfer-encoding": "chunked" };
  const second = await send(companion.port, { headers: streamed, body: Buffer.alloc(17 * 1024 * 1024, 32) });
  expect(second.status).toBe(413);
  expect((await cli.request("ping", {})).message).toEqual({ result: {} });
});

test.each([
  [{ filePath: 1, newContent: "x" }, "filePath: Invalid input: expected string, received number"],
  [{ newContent: "x" }, "filePath"],
  [{ filePath: "/a" }, "newContent"],
  ["text", "Invalid"],
  [undefined, "filePath"],
])("openDiff with arguments %j is answered with what is wrong", async (input, sentence) => {
  const { client } = await startCore();
  const cli = await client().initialize();
  const { error } = await cli.call("openDiff", input);
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(sentence) });
});

test("an unknown tool is named, and so are the ones there are", async () => {
  const { client } = await startCore();
  const cli = await client().initialize();
  for (const name of ["runCommand", "__proto__", "toString"]) {
    const { error } = await cli.call(name, {});
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("openDiff, closeDiff") });
  }
});

test.each([
  ["", "empty string"],
  ["src/a.ts", 'must be absolute, got "src/a.ts"'],
  ["/a\0b", "NUL"],
  [`/${"x".repeat(5000)}`, "at most 4096 characters"],
])("openDiff of the path %j tells why no diff can be shown", async (filePath, sentence) => {
  const { client, editor } = await startCore();
  const cli = await client().initialize();
  const { result } = await cli.call("openDiff", { filePath, newContent: "x" });
  expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(sentence) }] });
  expect(editor.diffs.size).toBe(0);
});

test("an editor that cannot show a diff is quoted, and the next one works", async () => {
  const { client, editor } = await startCore();
  const cli = await client().initialize();
  editor.failure = new Error("it is a folder");
  const { result } = await cli.call("openDiff", { filePath: "/x", newContent: "x" });
  expect(result).toEqual({
    isError: true,
    content: [{ type: "text", text: "no diff of /x can be shown: it is a folder" }],
  });
  editor.failure = undefined;
  expect(await cli.call("openDiff", { filePath: "/x", newContent: "x" })).toEqual({
    result: { content: [] },
  });
});

test("the 257th session hears why, and one that ends makes room", async () => {
  const { client } = await startCore();
  const clis = await Promise.all(Array.from({ length: 256 }, () => client().initialize()));
  const { status, message } = await client().request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  });
  expect([status, message.error?.message]).toEqual([503, expect.stringContaining("256 sessions")]);
  const [first] = clis;
  await send(first?.port ?? 0, { method: "DELETE", headers: first?.headers ?? {} });
  expect((await client().initialize()).sessionId).not.toBe("");
});

test("an agent that has opened every session it may leaves another agent its own", async () => {
  const { client } = await startCore();
  await Promise.all(Array.from({ length: 256 }, () => client("gemini").initialize()));
  const { status } = await client("qwen").request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  });
  expect(status).toBe(200);
});

test("CLIs that come and go faster than sessions end are all served", async () => {
  const { client } = await startCore();
  const clis = await Promise.all(Array.from({ length: 256 }, () => client().initialize()));
  const streams = await Promise.all(clis.slice(0, 3).map((cli) => cli.openStream()));
  await Promise.all(streams.slice(0, 2).map((stream) => stream.close()));
  const init = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "x", version: "1" },
  };
  const ask = async () => (await client().request("initialize", init)).status;
  expect(await ask()).toBe(503);
  // Room for two, and the second does not come at the same moment as the first.
  for (const _ of streams.slice(0, 2)) await eventually(async () => expect(await ask()).toBe(200));
  expect(await ask()).toBe(503);
});

test("a fifth stream of one session is refused and the first ones stay", async () => {
  const { client } = await startCore();
  const cli = await client().initialize();
  const streams = await Promise.all([1, 2, 3, 4].map(() => cli.openStream()));
  await expect(cli.openStream()).rejects.toThrow("409");
  expect(streams.map(({ isClosed }) => isClosed)).toEqual([false, false, false, false]);
});

test("a session id is of no use without the token", async () => {
  const { companion, client } = await startCore();
  const cli = await client().initialize();
  const headers = { "mcp-session-id": cli.sessionId, accept: "text/event-stream" };
  await expect(openWireStream(companion.port, headers)).rejects.toThrow("401");
});
