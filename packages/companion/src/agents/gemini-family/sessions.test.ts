import { writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { eventually } from "../../../../testkit/src/eventually.ts";
import { send } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { startCore } from "../../testing/core.ts";
import type { MemoryEditor } from "../../testing/memory-editor.ts";
import { aComment } from "../../testing/memory-editor.ts";

/** The editor takes a diff away only when it is asked to. */
function holdBack(editor: MemoryEditor): { asked: Promise<void>; answer: () => void } {
  const close = editor.hide.bind(editor);
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked = new Promise<void>((resolve) => {
    editor.hide = async (...diff) => {
      resolve();
      await answered;
      return close(...diff);
    };
  });
  return { asked, answer };
}

describe.each(["2025-03-26", "2025-06-18", "2025-11-25"])("MCP %s", (protocol) => {
  test("a CLI connects, lists the tools and gets the context as soon as its stream opens", async () => {
    const { client, editor, root } = await startCore();
    const file = join(root, "a.ts");
    writeFileSync(file, "hello");
    const cli = client("gemini", protocol);
    const first = await cli.request("initialize", {
      protocolVersion: protocol,
      capabilities: {},
      clientInfo: { name: "streamable-http-client", version: "0.61.0" },
    });
    expect(first.message.result).toMatchObject({ protocolVersion: protocol, capabilities: { tools: {} } });
    const initialized = await cli.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect(initialized.status).toBe(202);
    const stream = await cli.openStream();
    expect(await stream.method("ide/contextUpdate")).toMatchObject({
      params: { workspaceState: { openFiles: [] } },
    });
    const { message } = await cli.request("tools/list", {});
    expect(message.result?.tools).toMatchObject([
      { name: "openDiff", inputSchema: { type: "object", required: ["filePath", "newContent"] } },
      { name: "closeDiff", inputSchema: { type: "object", required: ["filePath"] } },
      { name: "acceptDiff" },
      { name: "rejectDiff" },
    ]);
    editor.look({
      files: [{ path: file, focusedAt: 7, cursor: { line: 1, character: 6 } }],
      activePath: file,
    });
    const update = await stream.next(({ params }) => JSON.stringify(params).includes("a.ts"));
    expect(update.params).toEqual({
      workspaceState: {
        openFiles: [{ path: file, timestamp: 7, isActive: true, cursor: { line: 1, character: 6 } }],
      },
    });
  });
});

test("a client that asks for an unknown protocol version is offered one that is served", async () => {
  const { client } = await startCore();
  const { message } = await client().request("initialize", {
    protocolVersion: "1.0",
    capabilities: {},
    clientInfo: { name: "gemini-cli", version: "0.20.0" },
  });
  expect(message.result?.protocolVersion).toBe("2025-11-25");
});

test("an accepted diff reaches its session with the user's edits, exactly once", async () => {
  const { client, editor } = await startCore();
  const cli = await client().initialize();
  const stream = await cli.openStream();
  expect(await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b\r\n" })).toEqual({
    result: { content: [] },
  });
  editor.edit("/x/a.ts", "c\r\n");
  expect(editor.accept("/x/a.ts")).toEqual({ taken: true });
  expect(await stream.method("ide/diffAccepted")).toMatchObject({
    params: { filePath: "/x/a.ts", content: "c\r\n" },
  });
  await cli.call("closeDiff", { filePath: "/x/a.ts", suppressNotification: true });
  expect(stream.events.filter(({ method }) => method !== "ide/contextUpdate")).toHaveLength(1);
});

test("a rejected diff reaches its session", async () => {
  const { client, editor } = await startCore();
  const cli = await client("qwen").initialize();
  const stream = await cli.openStream();
  await cli.call("openDiff", { filePath: "/x/../x/a.ts", newContent: "b" });
  editor.reject("/x/../x/a.ts", [aComment]); // which the CLI does not know of
  expect((await stream.method("ide/diffRejected")).params).toEqual({ filePath: "/x/../x/a.ts" });
});

test.each(["hangs up", "ends its session"])(
  "what the user has typed is kept when a CLI closes its diff and %s before it has the answer",
  async (how) => {
    const { client, editor, events } = await startCore();
    const cli = await client().initialize();
    await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b" });
    editor.edit("/x/a.ts", "mine");
    const { asked, answer } = holdBack(editor);
    const { port, headers } = cli;
    const calling = http.request({ port, path: "/mcp", method: "POST", headers, agent: false });
    calling.on("error", () => {}); // it is we who hang up
    const params = { name: "closeDiff", arguments: { filePath: "/x/a.ts" } };
    calling.end(JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params }));
    await asked;
    if (how === "hangs up") calling.destroy();
    else await send(port, { method: "DELETE", headers });
    await cli.request("ping", {}); // the companion has heard of the one when it answers the other
    answer();
    const edits = expect.objectContaining({ filePath: "/x/a.ts", text: "mine" });
    await eventually(() => expect(events).toContainEqual(expect.objectContaining({ edits })));
  },
);

test("accepted edits that a CLI has not written when it dies, or when the companion stops, are offered", async () => {
  const { companion, client, editor, events, root } = await startCore();
  const cli = await client().initialize();
  const stream = await cli.openStream();
  const path = join(root, "a.ts");
  await cli.call("openDiff", { filePath: path, newContent: "new" });
  editor.edit(path, "mine");
  expect(editor.accept(path)).toEqual({ taken: true });
  await stream.close();
  await companion.close();
  expect(events).toContainEqual(
    expect.objectContaining({ kind: "edits-recovered", edits: expect.objectContaining({ text: "mine" }) }),
  );
  expect(companion.edits.list()).toMatchObject([{ filePath: path }]);
});

test("closeDiff answers Gemini CLI in JSON, Qwen Code and strict readers of the specification in plain text", async () => {
  const { client, editor } = await startCore();
  const answers = [];
  for (const [agent, name] of [
    ["gemini", "streamable-http-client"],
    ["gemini", "a-strict-reader"],
    ["qwen", "streamable-http-client"],
  ] as const) {
    const cli = await client(agent).initialize(name);
    await cli.openStream();
    await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b" });
    editor.edit("/x/a.ts", "edited");
    const { result } = await cli.call("closeDiff", { filePath: "/x/a.ts", suppressNotification: true });
    answers.push(result?.content);
  }
  expect(answers).toEqual([
    [{ type: "text", text: '{"content":"edited"}' }],
    [{ type: "text", text: "edited" }],
    [{ type: "text", text: "edited" }],
  ]);
});

test("two CLIs have a diff of one file each, and each hears of its diff", async () => {
  const { client, editor } = await startCore();
  const one = await client("gemini").initialize();
  const two = await client("gemini").initialize();
  const streams = [await one.openStream(), await two.openStream()] as const;
  await one.call("openDiff", { filePath: "/x/a.ts", newContent: "from one" });
  await two.call("openDiff", { filePath: "/x/a.ts", newContent: "from two" });
  const shown = [...editor.diffs.values()];
  expect(shown.map(({ proposal }) => [proposal.agent, proposal.newContent])).toEqual([
    ["Gemini CLI", "from one"],
    ["Gemini CLI 2", "from two"],
  ]);
  shown[1]?.decide({ kind: "accepted" });
  shown[0]?.decide({ kind: "rejected" });
  expect((await streams[1].method("ide/diffAccepted")).params).toEqual({
    filePath: "/x/a.ts",
    content: "from two",
  });
  await streams[0].method("ide/diffRejected");
  const decisions = streams.map(({ events }) => events.filter(({ method }) => method.startsWith("ide/diff")));
  expect(decisions.map(({ length }) => length)).toEqual([1, 1]);
});

test("DELETE ends a session and closes its diffs", async () => {
  const { client, editor, companion } = await startCore();
  const cli = await client().initialize();
  const stream = await cli.openStream();
  await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b" });
  const { send } = await import("../../../../testkit/src/fake-cli/gemini-family.ts");
  expect((await send(companion.port, { method: "DELETE", headers: cli.headers })).status).toBe(200);
  await stream.ended();
  expect(editor.closed).toEqual([{ filePath: "/x/a.ts", reason: "session-ended" }]);
});

test("a body of 9 MB is taken", async () => {
  const { client, editor } = await startCore();
  const cli = await client().initialize();
  const newContent = "0123456789abcde\n".repeat(9 * 65_536);
  expect(await cli.call("openDiff", { filePath: "/x/big", newContent })).toEqual({ result: { content: [] } });
  expect(editor.find("/x/big").text).toBe(newContent);
});

test("a client that announces itself has its own name and its texts as they are, with any agent's token", async () => {
  const { client, editor } = await startCore();
  const cli = client("gemini");
  const clientInfo = { name: "other-agent", title: "Other Agent", version: "1.0.0" };
  const capabilities = { experimental: { ideCompanion: { version: 1 } } };
  await cli.request("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
  const stream = await cli.openStream({ "mcp-protocol-version": "2025-11-25" });
  await cli.call("openDiff", { filePath: "/x/a.ts", newContent: "b" });
  expect(editor.find("/x/a.ts").proposal.agent).toBe("Other Agent");
  editor.edit("/x/a.ts", "");
  expect(editor.accept("/x/a.ts")).toEqual({ taken: true });
  expect((await stream.method("ide/diffAccepted")).params).toEqual({ filePath: "/x/a.ts", content: "" });
  await cli.call("openDiff", { filePath: "/x/b.ts", newContent: "b" });
  expect((await cli.call("closeDiff", { filePath: "/x/b.ts" })).result).toEqual({
    content: [{ type: "text", text: "b" }],
  });
});

test("no two events of a session have the same id, on whatever stream they come", async () => {
  const { client } = await startCore();
  const cli = await client().initialize();
  const ids = [];
  for (const _ of [1, 2, 3]) {
    const stream = await cli.openStream();
    ids.push((await stream.method("ide/contextUpdate")).id);
    await stream.close();
  }
  expect(new Set(ids).size).toBe(3);
});
