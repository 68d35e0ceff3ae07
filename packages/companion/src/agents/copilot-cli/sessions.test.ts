import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { CopilotClient, copilotLock } from "../../../../testkit/src/fake-cli/copilot-cli.ts";
import { send } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { startCore } from "../../testing/core.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";
import { copilotFamily } from "./family.ts";
import { toReference } from "./session.ts";

async function start(options: Parameters<typeof startCore>[0] = {}) {
  const core = await startCore({ families: [copilotFamily], ...options });
  const lock = copilotLock(core.companion);
  return { ...core, lock };
}

const discover = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "server/discover", params: {} });

describe("the socket", () => {
  test("answers those who hold the token of the lock file, on one path, and never a web page", async () => {
    const { lock, events } = await start();
    const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const good = { ...lock.headers, ...json };
    const statusOf = async (headers: Record<string, string>, path = "/mcp") =>
      (await send(lock.socketPath, { headers, path, body: discover })).status;
    expect(await statusOf(good)).toBe(400);
    expect(await statusOf(json)).toBe(401);
    expect(await statusOf({ ...good, authorization: "Bearer wrong" })).toBe(401);
    expect(await statusOf({ ...good, origin: "http://localhost" })).toBe(403);
    expect(await statusOf({ ...good, host: "evil.example" })).toBe(403);
    expect(await statusOf(good, "/elsewhere")).toBe(404);
    expect(await statusOf({ ...good, "mcp-session-id": "nobody's" })).toBe(404);
    expect((await send(lock.socketPath, { method: "PUT", headers: good })).status).toBe(405);
    expect(events).toContainEqual(expect.objectContaining({ kind: "request-refused", status: 401 }));
    const [, token = ""] = /Bearer (.+)/.exec(lock.headers.Authorization ?? "") ?? [];
    expect(token).not.toBe("");
    expect(JSON.stringify(events)).not.toContain(token);
  });

  test("refuses the later protocol, for the CLI to go on with the one that has sessions", async () => {
    const { lock } = await start();
    const client = new CopilotClient(lock);
    const reply = await send(lock.socketPath, {
      headers: { ...client.headers, "mcp-session-id": [] },
      body: discover,
    });
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code: expect.any(Number) } });
    expect(await client.initialize()).toMatchObject({
      result: {
        protocolVersion: "2025-11-25",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "ide-companion" },
      },
    });
  });
});

describe("a session", () => {
  test("has the CLI's own id and its name", async () => {
    const { lock, events } = await start();
    const id = "0ba4c0de-1111-4222-8333-444455556666";
    const client = await CopilotClient.connect(lock, id);
    expect(client.id).toBe(id);
    expect(await client.ask("ping", {})).toMatchObject({ result: {} });
    expect(await client.ask("nothing/known", {})).toMatchObject({ error: { code: -32601 } });
    expect(events.filter(({ kind }) => kind === "session-opened")).toMatchObject([
      { session: { agent: "Copilot CLI", client: { name: "copilot-cli", version: "1.0.102" } } },
    ]);
  });

  test.runIf(process.platform === "linux")(
    "has nothing typed into the terminal of a process that it names",
    async () => {
      const asked: (readonly number[])[] = [];
      const editor = Object.assign(new MemoryEditor(), {
        readTerminal: async (pids: readonly number[]) => void asked.push(pids),
        typeInTerminal: async () => {},
      });
      const { companion, lock } = await start({ editor });
      // It says that it is process 4711.
      await CopilotClient.connect(lock);
      await companion.send({ text: "Why?" });
      expect(asked[0]?.[0]).toBe(process.pid);
    },
  );

  test("lists the five tools that the CLI calls", async () => {
    const { lock } = await start();
    const client = await CopilotClient.connect(lock);
    const { result } = await client.ask("tools/list", {});
    expect(result).toMatchObject({
      tools: [
        {
          name: "open_diff",
          inputSchema: { required: ["original_file_path", "new_file_contents", "tab_name"] },
        },
        { name: "close_diff", inputSchema: { required: ["tab_name"] } },
        { name: "get_selection", inputSchema: { type: "object" } },
        { name: "get_diagnostics", inputSchema: { properties: { uri: { type: "string" } } } },
        { name: "update_session_name", inputSchema: { required: ["name"] } },
      ],
    });
    await expect(client.call("get_vscode_info")).rejects.toThrow("Invalid");
  });

  test("gives way to a newer one of the same id, with its diffs", async () => {
    const { lock, root, editor, events } = await start();
    const first = await CopilotClient.connect(lock, "the-same-id");
    const path = join(root, "a.txt");
    const answer = first.openDiff(path, "x");
    answer.catch(() => {});
    await eventually(() => editor.find(path));
    const second = await CopilotClient.connect(lock, "the-same-id");
    await eventually(() => expect(editor.diffs.size).toBe(0));
    await expect(answer).rejects.toThrow("is over");
    expect(first.isListening).toBe(false);
    expect(await second.ask("ping", {})).toMatchObject({ result: {} });
    expect(events.filter(({ kind }) => kind === "session-opened")).toMatchObject([
      { session: { agent: "Copilot CLI" } },
      { session: { agent: "Copilot CLI" } },
    ]);
  });

  test("ends when the CLI says goodbye", async () => {
    const { lock, events } = await start();
    const client = await CopilotClient.connect(lock);
    expect(await client.goodbye()).toMatchObject({ status: 200 });
    expect(events.filter(({ kind }) => kind === "session-closed")).toMatchObject([
      { reason: "it said goodbye" },
    ]);
    expect(await client.goodbye()).toMatchObject({ status: 404 });
    await eventually(() => expect(client.isListening).toBe(false));
    expect(events.at(-1)).toMatchObject({ kind: "session-closed" });
  });

  test("goes on over a stream that breaks and comes back, with its open diff", async () => {
    const { lock, root, editor } = await start();
    const client = await CopilotClient.connect(lock);
    const path = join(root, "a.txt");
    const answer = client.openDiff(path, "x");
    await eventually(() => editor.find(path));
    client.cutStream();
    await client.openStream();
    editor.accept(path);
    expect(await answer).toMatchObject({ result: "SAVED" });
  });

  test("ends three seconds after its stream has broken, with its diffs", async () => {
    const { lock, root, editor, events } = await start();
    const client = await CopilotClient.connect(lock);
    const path = join(root, "a.txt");
    client.openDiff(path, "x").catch(() => {});
    await eventually(() => editor.find(path));
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    client.cutStream();
    await eventually(() => expect(events.at(-1)).toMatchObject({ kind: "session-closed" }));
    expect(timers.mock.calls.map(([, delay]) => delay)).toContain(3000);
    expect(editor.closed).toEqual([{ filePath: path, reason: "session-ended" }]);
  });
});

describe("what the user looks at", () => {
  const at = (line: number, character: number) => ({ line, character });
  const none = { start: at(0, 0), end: at(0, 0), isEmpty: true };

  test("is sent as soon as there is a stream, and each change after that", async () => {
    const { lock, root, editor } = await start();
    const path = join(root, "a b.txt");
    writeFileSync(path, "one\ntwo\n");
    const file = { filePath: path, fileUrl: `file://${root}/a%20b.txt` };
    const selection = { start: at(2, 1), end: at(2, 4) };
    const files = [{ path, focusedAt: 1, cursor: at(2, 4), selectedText: "two", selection }];
    editor.look({ files, activePath: path });
    await eventually(async () => {
      const client = await CopilotClient.connect(lock);
      expect(client.sent("selection_changed")).toHaveLength(1);
    });
    const client = await CopilotClient.connect(lock);
    const whole = { start: at(1, 0), end: at(1, 3), isEmpty: false };
    const sent = { text: "two", selection: whole, ...file };
    await eventually(() => expect(client.sent("selection_changed")).toEqual([sent]));
    expect(await client.call("get_selection")).toEqual({ ...sent, current: true });
    // Deselected, and then no file at all: the CLI would send the old text with every prompt.
    editor.look({ files: [{ path, focusedAt: 1, cursor: at(2, 4) }], activePath: path });
    const empty = { text: "", selection: { start: at(1, 3), end: at(1, 3), isEmpty: true }, ...file };
    await eventually(() => expect(client.sent("selection_changed").at(-1)).toEqual(empty));
    editor.look({ files: [] });
    const closed = { text: "", selection: none, ...file };
    await eventually(() => expect(client.sent("selection_changed").at(-1)).toEqual(closed));
    expect(await client.call("get_selection")).toBeNull();
  });

  test("reaches a CLI that connected twice at its start, when the stream of its first connection comes late", async () => {
    const { lock, root, editor } = await start();
    const path = join(root, "a.txt");
    writeFileSync(path, "one\n");
    const client = await CopilotClient.connect(lock, "the-same-id");
    const late = new CopilotClient(lock, "the-same-id");
    await late.openStream();
    editor.look({ files: [{ path, focusedAt: 1, selectedText: "one" }], activePath: path });
    await eventually(() => expect(client.sent("selection_changed").at(-1)).toMatchObject({ text: "one" }));
  });

  test("is not sent where the user keeps it from agents", async () => {
    const { lock, root, editor } = await start();
    const client = await CopilotClient.connect(lock);
    const [secret, open] = [join(root, ".env"), join(root, "a.txt")];
    for (const file of [secret, open]) writeFileSync(file, "TOKEN");
    for (const path of [secret, open])
      editor.look({ files: [{ path, focusedAt: 1, selectedText: "TOKEN" }], activePath: path });
    await eventually(() => expect(client.sent("selection_changed").at(-1)).toMatchObject({ filePath: open }));
    expect(JSON.stringify(client.heard)).not.toContain(".env");
  });

  test.each([
    [undefined, null],
    [
      { first: 2, last: 3 },
      { start: at(1, 0), end: at(2, 0) },
    ],
  ])("as a mention of the lines %j is a reference to them from 0", (lines, selection) => {
    expect(toReference({ path: "/w/a b", ...(lines && { lines }) })).toEqual({
      filePath: "/w/a b",
      fileUrl: "file:///w/a%20b",
      selection,
      selectedText: null,
    });
  });

  test("a mention reaches the CLI that was used last, also while its stream is down", async () => {
    const { lock, root, companion, events } = await start();
    const first = await CopilotClient.connect(lock);
    await CopilotClient.connect(lock);
    await first.call("update_session_name", { name: "hello" });
    first.cutStream();
    await eventually(() => expect(events.at(-1)).toMatchObject({ kind: "stream-closed" }));
    expect(await companion.send({ mentions: [{ path: join(root, "a.txt") }] })).toEqual({
      kind: "sent",
      agent: "Copilot CLI",
    });
    await first.openStream();
    await eventually(() =>
      expect(first.sent("add_file_reference")).toMatchObject([{ filePath: join(root, "a.txt") }]),
    );
  });
});

test("diagnostics are those of files that have some, with capitalised severities", async () => {
  const { lock, root, editor } = await start();
  const client = await CopilotClient.connect(lock);
  const filePath = join(root, "ü.ts");
  writeFileSync(filePath, "");
  const found = (severity: "error" | "warning" | "info" | "hint") =>
    ({ filePath, line: 3, character: 7, severity, message: "no", source: "typescript" }) as const;
  editor.diagnostics = [found("error"), found("warning"), found("info"), found("hint")];
  const uri = new URL(`file://${filePath}`).href;
  const range = { start: { line: 2, character: 6 }, end: { line: 2, character: 6 } };
  const expected = ["Error", "Warning", "Information", "Hint"].map((severity) => ({
    message: "no",
    severity,
    range,
    source: "typescript",
  }));
  for (const input of [{}, { uri }, { uri: filePath }]) {
    expect(await client.call("get_diagnostics", input)).toEqual([{ uri, filePath, diagnostics: expected }]);
  }
  editor.diagnostics = [];
  expect(await client.call("get_diagnostics", { uri })).toEqual([]);
});
