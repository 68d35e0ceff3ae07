import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { type Core, startCore } from "../../testing/core.ts";
import { DiffAccepted } from "./contract/context.ts";

/** The MCP SDK's own client, bound to the protocol version without sessions. */
async function connect(core: Core) {
  const { port, token } = core.client();
  const client = new Client(
    { name: "someone", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const accepted: DiffAccepted[] = [];
  client.setNotificationHandler("ide/diffAccepted", { params: DiffAccepted }, (params) => {
    accepted.push(params);
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  let answers = 0;
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit,
    async fetch(url, init) {
      const response = await fetch(url, init);
      answers += 1;
      return response;
    },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, accepted, countAnswers: () => answers };
}

test("a client of MCP 2026-07-28 finds the tools, and reads the context as a resource it can follow", async () => {
  const core = await startCore();
  const { client } = await connect(core);
  expect(client.getServerVersion()?.name).toBe("ide-companion");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    "openDiff",
    "closeDiff",
    "acceptDiff",
    "rejectDiff",
    "openFile",
    "getDiagnostics",
  ]);
  let updates = 0;
  client.setNotificationHandler("notifications/resources/updated", () => {
    updates += 1;
  });
  await client.listen({ resourceSubscriptions: ["ide://context"] });
  const path = join(core.root, "a.ts");
  writeFileSync(path, "");
  core.editor.look({ files: [{ path, focusedAt: 1 }], activePath: path });
  await eventually(() => expect(updates).toBe(1));
  const { contents } = await client.readResource({ uri: "ide://context" });
  const text = z.array(z.object({ text: z.string() })).parse(contents)[0]?.text ?? "";
  expect(JSON.parse(text)).toEqual({
    workspaceState: { openFiles: [{ path, timestamp: 1, isActive: true }] },
  });
});

test("there openDiff stays open until the user decides, and tells the decision on its own stream", async () => {
  const core = await startCore();
  const { client, accepted } = await connect(core);
  const call = client.callTool({ name: "openDiff", arguments: { filePath: "/x/a", newContent: "b" } });
  await eventually(() => expect(core.editor.diffs.size).toBe(1));
  core.editor.edit("/x/a", "b, edited");
  core.editor.accept("/x/a");
  expect((await call).content).toEqual([]);
  expect(accepted).toEqual([{ filePath: "/x/a", content: "b, edited" }]);
});

test("there openDiff is answered at once as far as HTTP can tell: clients give up after five minutes", async () => {
  const core = await startCore();
  const { client, countAnswers } = await connect(core);
  const before = countAnswers();
  const call = client.callTool({ name: "openDiff", arguments: { filePath: "/x/a", newContent: "b" } });
  await eventually(() => expect(countAnswers()).toBe(before + 1));
  expect(core.editor.diffs.size).toBe(1);
  core.editor.reject("/x/a");
  await call;
});

test("there an agent has 64 diffs open at most, as one with a session has", async () => {
  const core = await startCore();
  const { client } = await connect(core);
  const propose = (n: number) =>
    client.callTool({ name: "openDiff", arguments: { filePath: `/x/${n}`, newContent: "b" } });
  const waiting = Array.from({ length: 64 }, (_, n) => propose(n));
  await eventually(() => expect(core.editor.diffs.size).toBe(64));
  const { isError, content } = await propose(64);
  expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("64 at most")]);
  for (let n = 0; n < 64; n += 1) core.editor.reject(`/x/${n}`);
  await Promise.all(waiting);
});

test("there a caller that goes away takes its diff with it, and closeDiff ends the call", async () => {
  const core = await startCore();
  const { client } = await connect(core);
  const gone = new AbortController();
  const first = client.callTool(
    { name: "openDiff", arguments: { filePath: "/x/a", newContent: "b" } },
    { signal: gone.signal },
  );
  await eventually(() => expect(core.editor.diffs.size).toBe(1));
  gone.abort();
  await expect(first).rejects.toThrow();
  await eventually(() => expect(core.editor.closed).toEqual([{ filePath: "/x/a", reason: "session-ended" }]));
  const second = client.callTool({ name: "openDiff", arguments: { filePath: "/x/b", newContent: "b" } });
  await eventually(() => expect(core.editor.diffs.size).toBe(1));
  const closed = await client.callTool({ name: "closeDiff", arguments: { filePath: "/x/b" } });
  expect(closed.content).toEqual([{ type: "text", text: "b" }]);
  expect((await second).content).toEqual([]);
});

test("a request without a session in an older protocol is asked to initialize", async () => {
  const { client } = await startCore();
  const { status, message } = await client().request("tools/list", {});
  expect([status, message.error?.message]).toEqual([400, expect.stringContaining("send initialize first")]);
});
