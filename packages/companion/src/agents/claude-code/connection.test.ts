import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { ClaudeClient, claudeLock, tokenHeader } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { send } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { startCore } from "../../testing/core.ts";

const clientInfo = { name: "claude-code", version: "2.1.332" };

/** @returns the status of a refused upgrade, or 101 */
function upgrade(port: number, headers: object, path = "/"): Promise<number> {
  const all = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: "127.0.0.1", path, headers: all }).on("error", reject);
    sent.on("response", ({ statusCode = 0 }) => resolve(statusCode));
    sent.on("upgrade", (_, socket) => {
      socket.destroy();
      resolve(101);
    });
    sent.end();
  });
}

describe("the port", () => {
  test("is open to the token alone, on one path, and never for a web page", async () => {
    const { companion, events } = await startCore();
    const { port, token } = claudeLock(companion);
    const good = { [tokenHeader]: token };
    expect(await upgrade(port, good)).toBe(101);
    expect(await upgrade(port, {})).toBe(401);
    expect(await upgrade(port, { [tokenHeader]: "wrong" })).toBe(401);
    expect(await upgrade(port, { authorization: `Bearer ${token}` })).toBe(401);
    expect(await upgrade(port, { ...good, origin: "http://127.0.0.1" })).toBe(403);
    expect(await upgrade(port, { ...good, host: "evil.example" })).toBe(403);
    expect(await upgrade(port, { ...good, host: `localhost:${port}` })).toBe(101);
    expect(await upgrade(port, { ...good, host: `host.docker.internal:${port}` })).toBe(101);
    expect(await upgrade(port, good, "/mcp")).toBe(404);
    expect(events).toContainEqual(expect.objectContaining({ kind: "request-refused", status: 401 }));
    expect(JSON.stringify(events)).not.toContain(token);
  });

  test("confirms the subprotocol, and serves those who ask for none", async () => {
    const { companion } = await startCore();
    const client = await ClaudeClient.connect(claudeLock(companion));
    expect(client.socket.protocol).toBe("mcp");
    const { port, token } = claudeLock(companion);
    const plain = new WebSocket(`ws://127.0.0.1:${port}`, { headers: { [tokenHeader]: token } });
    await once(plain, "open");
    expect(plain.protocol).toBe("");
    plain.terminate();
  });
});

describe("the handshake", () => {
  test("of a program that sends null where there are no parameters is answered as any other", async () => {
    const { companion } = await startCore();
    const client = await ClaudeClient.connect(claudeLock(companion));
    client.socket.send('{"jsonrpc":"2.0","id":77,"method":"tools/list","params":null}');
    await eventually(() =>
      expect(client.heard).toContainEqual({ jsonrpc: "2.0", id: 77, result: expect.anything() }),
    );
  });

  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2024-11-05", "2024-11-05"],
    ["1999-01-01", "2025-11-25"],
  ])("a client of %s is answered with %s", async (protocolVersion, answered) => {
    const { companion } = await startCore();
    const client = new ClaudeClient(claudeLock(companion));
    await once(client.socket, "open");
    const { result } = await client.ask("initialize", { protocolVersion, capabilities: {}, clientInfo });
    expect(result).toEqual({
      protocolVersion: answered,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "ide-companion", version: expect.any(String) },
    });
  });

  test("lists the four tools that the CLI calls", async () => {
    const { companion } = await startCore();
    const client = await ClaudeClient.connect(claudeLock(companion));
    const { result } = await client.ask("tools/list", {});
    expect(result).toMatchObject({
      tools: [
        {
          name: "openDiff",
          inputSchema: {
            type: "object",
            required: ["old_file_path", "new_file_path", "new_file_contents", "tab_name"],
          },
        },
        { name: "close_tab", inputSchema: { required: ["tab_name"] } },
        { name: "closeAllDiffTabs", inputSchema: { type: "object" } },
        { name: "getDiagnostics", inputSchema: { properties: { uri: { type: "string" } } } },
      ],
    });
  });

  test("makes a session with the CLI's name and process", async () => {
    const { companion, events } = await startCore();
    const lock = claudeLock(companion);
    await ClaudeClient.connect(lock, 4711);
    await ClaudeClient.connect(lock, 4712);
    const opened = events.flatMap((event) => (event.kind === "session-opened" ? [event.session] : []));
    expect(opened).toMatchObject([
      { agent: "Claude Code", client: { name: "claude-code", version: "2.1.332", pid: 4711 } },
      { agent: "Claude Code 2", client: { pid: 4712 } },
    ]);
  });

  test("makes a session that those who ask for the companion's state see", async () => {
    const { companion, client } = await startCore();
    await ClaudeClient.connect(claudeLock(companion), 4711);
    const headers = { authorization: `Bearer ${client().token}` };
    const reply = await send(companion.port, { method: "GET", path: "/health", headers });
    expect(JSON.parse(reply.body)).toMatchObject({
      sessions: [{ agent: "Claude Code", pid: 4711, streaming: true }],
    });
  });

  test("makes a session of another agent that reads the same files and then only listens", async () => {
    const { companion, events, editor, root } = await startCore();
    const client = await ClaudeClient.listen(claudeLock(companion));
    await eventually(() => expect(client.sent("selection_changed")).toHaveLength(1));
    const path = join(root, "a.txt");
    writeFileSync(path, "a");
    editor.look({ files: [{ path, focusedAt: 1 }], activePath: path });
    await eventually(() => expect(client.sent("selection_changed")).toMatchObject([{}, { filePath: path }]));
    expect(await companion.send({ mentions: [{ path }] })).toEqual({ kind: "sent", agent: "opencode" });
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: "session-opened",
        session: expect.objectContaining({ agent: "opencode" }),
      }),
    );
  });

  test("comes first", async () => {
    const { companion } = await startCore();
    const client = new ClaudeClient(claudeLock(companion));
    await once(client.socket, "open");
    expect(await client.ask("ping", {})).toMatchObject({ result: {} });
    expect(await client.ask("tools/list", {})).toMatchObject({ error: { code: -32600 } });
    expect(await client.ask("initialize", {})).toMatchObject({ error: { code: -32602 } });
  });
});

test("what nobody knows is answered with an error, and the connection goes on", async () => {
  const { companion } = await startCore();
  const client = await ClaudeClient.connect(claudeLock(companion));
  expect(await client.ask("resources/list", {})).toMatchObject({ error: { code: -32601 } });
  expect(await client.ask("tools/call", { name: "openFile", arguments: {} })).toMatchObject({
    error: { code: -32602 },
  });
  expect(await client.ask("tools/call", { name: "openDiff", arguments: { tab_name: 7 } })).toMatchObject({
    error: { code: -32602 },
  });
  client.notify("nobody/knows", {});
  client.socket.send("{");
  client.socket.send("[]");
  await eventually(() => expect(client.heard.slice(-2)).toMatchObject([{ id: null }, { id: null }]));
  expect(await client.ask("ping", {})).toMatchObject({ result: {} });
});

test("a file of 12 MB can be proposed", async () => {
  const { companion, editor, root } = await startCore();
  const client = await ClaudeClient.connect(claudeLock(companion));
  const path = join(root, "a.txt");
  const text = "0123456789abcde\n".repeat((12 * 1024 * 1024) / 16);
  const answer = client.openDiff(path, text);
  await eventually(() => editor.find(path));
  editor.accept(path);
  const [word, content] = await answer;
  expect([word, content === text]).toEqual(["FILE_SAVED", true]);
});

test("one who sends more than 16 MiB at once hears so and is cut off, and nobody else", async () => {
  const { companion } = await startCore();
  const lock = claudeLock(companion);
  const [client, other] = [await ClaudeClient.connect(lock), await ClaudeClient.connect(lock)];
  const gone = once(client.socket, "close");
  client.socket.send(Buffer.alloc(16 * 1024 * 1024 + 1, 32), { binary: false });
  const [code, reason] = await gone;
  expect([code, String(reason)]).toEqual([1009, "The message is larger than 16 MiB, the most that is taken"]);
  expect(await other.ask("ping", {})).toMatchObject({ result: {} });
});

test("a message that is nested as deeply as one can be is refused before anybody waits for it", async () => {
  const { companion } = await startCore();
  const client = await ClaudeClient.connect(claudeLock(companion));
  client.socket.send("[".repeat(16 * 1024 * 1024));
  expect(await client.ask("ping", {})).toMatchObject({ result: {} });
  expect(client.heard).toContainEqual(
    expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
  );
});

test("messages are taken in their order, also behind a long one", async () => {
  const { companion, root } = await startCore();
  const client = await ClaudeClient.connect(claudeLock(companion));
  const path = join(root, "a.txt");
  const answer = client.openDiff(path, "x\n".repeat(5 * 1024 * 1024));
  expect(await client.ask("tools/call", { name: "closeAllDiffTabs", arguments: {} })).toMatchObject({
    result: { content: [{ text: "CLOSED_1_DIFF_TABS" }] },
  });
  expect((await answer)[0]).toBe("DIFF_REJECTED");
});
