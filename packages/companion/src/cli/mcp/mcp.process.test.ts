import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { type Core, startCore } from "../../testing/core.ts";
import { aComment } from "../../testing/memory-editor.ts";
import { createSandbox, executablePath, type Sandbox, start, useExecutable } from "../process-fixture.ts";

useExecutable();

/** A project that a companion serves, whose user is the test. */
async function createFixture() {
  const sandbox = createSandbox();
  const core = await serve(sandbox);
  const write = (name: string, content: string) => {
    const file = path.join(sandbox.app, name);
    writeFileSync(file, content);
    return file;
  };
  return { sandbox, core, write };
}

function serve({ tmp, home, app }: Sandbox): Promise<Core> {
  const host = { tmp, home, env: {}, delimiter: path.delimiter };
  return startCore({ host, roots: [app] });
}

interface AgentOptions {
  readonly cwd?: string;
  /** What it says when it is asked for the folders it works in. */
  readonly roots?: readonly string[];
  readonly modern?: boolean;
}

/** An agent that has the command registered as an MCP server. */
async function startAgent(sandbox: Sandbox, { cwd = sandbox.app, roots, modern }: AgentOptions = {}) {
  const client = new Client(
    { name: "claude-code", title: "Claude Code", version: "9.9.9" },
    {
      capabilities: roots ? { roots: {} } : {},
      ...(modern && { versionNegotiation: { mode: { pin: "2026-07-28" } } }),
    },
  );
  if (roots) {
    client.setRequestHandler("roots/list", async () => ({
      roots: roots.map((root) => ({ uri: pathToFileURL(root).href })),
    }));
  }
  const [command, args] = [process.execPath, [executablePath(), "mcp"]];
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    env: { ...sandbox.env },
    stderr: "inherit",
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown> = {}) => {
    const { structuredContent, content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content;
    const text = first?.type === "text" ? first.text : "";
    if (!isError) expect(JSON.parse(text)).toEqual(structuredContent);
    return isError ? { error: text } : structuredContent;
  };
  return { client, call };
}

describe("mcp", () => {
  test("tells what the user has open and selected, and shows files", async () => {
    const { sandbox, core, write } = await createFixture();
    const [one, two] = [write("one.ts", "x"), write("two.ts", "y")];
    const { client, call } = await startAgent(sandbox);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "getOpenFiles",
      "getSelection",
      "getDiagnostics",
      "openFile",
      "openDiff",
      "closeDiff",
    ]);
    expect(tools.map(({ annotations }) => annotations)).toEqual(
      tools.map(({ name, title }) => ({
        title,
        readOnlyHint: !["openDiff", "closeDiff"].includes(name),
        destructiveHint: false,
        openWorldHint: false,
      })),
    );
    expect(await call("getOpenFiles")).toEqual({ files: [] });
    expect(await call("getSelection")).toEqual({ note: "The user is looking at no file." });
    const cursor = { line: 1, character: 2 };
    core.editor.look({
      files: [
        { path: one, focusedAt: 2, cursor, selectedText: "x" },
        { path: two, focusedAt: 1 },
      ],
      activePath: one,
    });
    await eventually(async () =>
      expect(await call("getOpenFiles")).toEqual({
        files: [
          { filePath: one, isActive: true, cursor },
          { filePath: two, isActive: false },
        ],
      }),
    );
    expect(await call("getSelection")).toEqual({ filePath: one, cursor, selectedText: "x" });
    expect(await call("openFile", { filePath: "two.ts", line: 3 })).toEqual({ filePath: two });
    expect(core.editor.opened).toEqual([{ path: two, line: 3 }]);
    const found = { filePath: two, line: 1, character: 1, severity: "error", message: "wrong" } as const;
    core.editor.diagnostics = [found];
    expect(await call("getDiagnostics", { filePath: "two.ts" })).toEqual({
      diagnostics: [found],
      omitted: 0,
    });
  });

  test("has a change reviewed, under the agent's own name, and gives back what was accepted", async () => {
    const { sandbox, core, write } = await createFixture();
    const file = write("a.ts", "old\n");
    const { call } = await startAgent(sandbox);
    const answer = call("openDiff", { filePath: "a.ts", newContent: "new\n" });
    const { proposal } = await eventually(() => core.editor.find(file));
    expect(proposal.agent).toBe("Claude Code");
    core.editor.edit(file, "newer\r\n");
    core.editor.accept(file);
    expect(await answer).toEqual({
      outcome: "accepted",
      edited: true,
      written: false,
      note: `${file} has not been written: write exactly this content.`,
      content: "newer\r\n",
    });
    expect(readFileSync(file, "utf8")).toBe("old\n");
  });

  test("writes what was accepted when it is asked to, and nothing that was rejected", async () => {
    const { sandbox, core, write } = await createFixture();
    const file = write("a.ts", "old\n");
    const { call } = await startAgent(sandbox);
    const rejected = call("openDiff", { filePath: file, newContent: "new\n", write: true });
    await eventually(() => core.editor.find(file));
    core.editor.reject(file, [aComment]);
    const { id: _, ...comment } = aComment;
    const comments = [comment];
    expect(await rejected).toEqual({ outcome: "rejected", note: `${file} was not changed.`, comments });
    expect(readFileSync(file, "utf8")).toBe("old\n");
    const accepted = call("openDiff", { filePath: file, newContent: "new\n", write: true });
    await eventually(() => core.editor.find(file));
    core.editor.accept(file, [aComment]);
    expect(await accepted).toEqual({
      outcome: "accepted",
      edited: false,
      written: true,
      note: `${file} has been written.`,
      comments,
    });
    expect(readFileSync(file, "utf8")).toBe("new\n");
  });

  test("takes a change back when the agent cancels the call, or closes it", async () => {
    const { sandbox, core, write } = await createFixture();
    const file = write("a.ts", "old\n");
    const { client, call } = await startAgent(sandbox);
    const abort = new AbortController();
    const input = { filePath: file, newContent: "new\n" };
    const cancelled = client.callTool({ name: "openDiff", arguments: input }, { signal: abort.signal });
    cancelled.catch(() => {}); // it is looked at below
    await eventually(() => core.editor.find(file));
    abort.abort();
    await expect(cancelled).rejects.toThrow();
    await eventually(() => expect(core.editor.diffs.size).toBe(0));

    const open = call("openDiff", input);
    await eventually(() => core.editor.find(file));
    core.editor.edit(file, "half done\n");
    expect(await call("closeDiff", { filePath: file })).toEqual({ content: "half done\n" });
    expect(await open).toEqual({ outcome: "closed", note: `${file} was not changed.` });
  });

  test("tells that it still waits, so that no agent gives the call up", async () => {
    const { sandbox, core, write } = await createFixture();
    const file = write("a.ts", "old\n");
    const { client } = await startAgent(sandbox);
    let sent = 0;
    const answer = client.callTool(
      { name: "openDiff", arguments: { filePath: file, newContent: "new\n" } },
      {
        timeout: 3500, // of silence
        resetTimeoutOnProgress: true,
        onprogress: () => {
          sent += 1;
        },
      },
    );
    await eventually(() => core.editor.find(file));
    await eventually(() => expect(sent).toBeGreaterThan(1));
    core.editor.accept(file);
    expect((await answer).structuredContent).toMatchObject({ outcome: "accepted" });
  });

  test("has what the user looks at as resources that tell their changes", async () => {
    const { sandbox, core, write } = await createFixture();
    const file = write("a.ts", "x");
    const { client } = await startAgent(sandbox);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["ide://context", "ide://selection"]);
    const updated: string[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      updated.push(params.uri);
    });
    await client.subscribeResource({ uri: "ide://selection" });
    core.editor.look({ files: [{ path: file, focusedAt: 1, selectedText: "x" }], activePath: file });
    await eventually(() => expect(updated).toContain("ide://selection"));
    const { contents } = await client.readResource({ uri: "ide://selection" });
    expect(contents).toEqual([{ uri: "ide://selection", mimeType: "text/plain", text: "x" }]);
    expect(updated).not.toContain("ide://context");
    const nothing = { uri: "ide://nothing" };
    await expect(client.readResource(nothing)).rejects.toThrow("Resource not found: ide://nothing");
    await expect(client.subscribeResource(nothing)).rejects.toThrow("Resource not found: ide://nothing");
  });

  test("serves the protocol without sessions as well", async () => {
    const { sandbox, core, write } = await createFixture();
    const file = write("a.ts", "old\n");
    const { call } = await startAgent(sandbox, { modern: true });
    const answer = call("openDiff", { filePath: file, newContent: "new\n" });
    await eventually(() => core.editor.find(file));
    core.editor.accept(file);
    expect(await answer).toMatchObject({ outcome: "accepted", content: "new\n" });
  });

  test("says what to do while there is no companion, and goes on with the next one", async () => {
    const sandbox = createSandbox();
    const { call } = await startAgent(sandbox);
    expect(await call("getOpenFiles")).toEqual({
      error: expect.stringContaining(`No editor is connected: no companion serves ${sandbox.app}.`),
    });
    const first = await serve(sandbox);
    await eventually(async () => expect(await call("getOpenFiles")).toEqual({ files: [] }));
    await first.companion.close();
    await eventually(async () => expect(await call("getOpenFiles")).toHaveProperty("error"));
    const second = await serve(sandbox);
    await eventually(async () => expect(await call("getOpenFiles")).toEqual({ files: [] }));
    expect(second.events.map(({ kind }) => kind)).toContain("session-opened");
  });

  test("looks where the agent says that it works, when it was started elsewhere", async () => {
    const { sandbox } = await createFixture();
    const elsewhere = path.join(sandbox.folder, "elsewhere");
    mkdirSync(elsewhere);
    const { call } = await startAgent(sandbox, { cwd: elsewhere, roots: [sandbox.app] });
    expect(await call("getOpenFiles")).toEqual({ files: [] });
  });

  test("names what is wrong with a call", async () => {
    const { sandbox } = await createFixture();
    const { client, call } = await startAgent(sandbox);
    expect(await call("openDiff", { filePath: "a.ts" })).toEqual({
      error: expect.stringContaining("newContent: Invalid input"),
    });
    await expect(client.callTool({ name: "nonsense", arguments: {} })).rejects.toThrow("nonsense not found");
  });

  test("says that an editor cannot do what it cannot", async () => {
    const { sandbox, core, write } = await createFixture();
    Object.assign(core.editor, { openFile: undefined, getDiagnostics: undefined });
    const { call } = await startAgent(sandbox);
    write("a.ts", "x");
    expect(await call("openFile", { filePath: "a.ts" })).toEqual({
      error: "this editor does not open files for others",
    });
    expect(await call("getDiagnostics")).toEqual({ error: "this editor reports no diagnostics" });
  });

  test("ends with its agent, and its session with it", async () => {
    const { sandbox, core } = await createFixture();
    const { client, call } = await startAgent(sandbox);
    await call("getOpenFiles");
    await client.close();
    await eventually(() => expect(core.events.map(({ kind }) => kind)).toContain("session-closed"));
  });

  test("ends with an agent that leaves at once, while it is still connecting", async () => {
    const { sandbox, core } = await createFixture();
    const run = start(sandbox, ["mcp"], { stdin: "pipe" });
    const clientInfo = { name: "short", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    const say = (message: object) =>
      run.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    say({ id: 1, method: "initialize", params });
    await run.until(/"id":1/);
    say({ method: "notifications/initialized" });
    run.child.stdin?.end();
    expect(await run.end).toBe(0);
    await eventually(() => {
      const of = (kind: string) => core.events.filter((event) => event.kind === kind).length;
      expect(of("session-closed")).toBe(of("session-opened"));
    });
  });

  test("refuses a message that is too long with the limit's name, and takes the next one", async () => {
    const { sandbox } = await createFixture();
    const run = start(sandbox, ["mcp"], { stdin: "pipe" });
    run.child.stdin?.write(`"${"x".repeat(16 * 1024 * 1024)}"\n`);
    await run.until(/"id":null,.*The message is larger than 16 MiB, the most that is taken/);
    const clientInfo = { name: "long", version: "1" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
    run.child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    await run.until(/"id":1/);
    run.child.stdin?.end();
    expect(await run.end).toBe(0);
  });

  test("ends with 0 when its standard input is empty, and is no pipe", async () => {
    const { sandbox } = await createFixture();
    const run = start(sandbox, ["mcp"], { stdin: "ignore" });
    expect([await run.end, run.text]).toEqual([0, ""]);
  });

  test("names a folder that is missing", async () => {
    const run = start(createSandbox(), ["mcp", "--folder", "missing"]);
    expect(await run.end).toBe(2);
    expect(run.text).toMatch(/there is no folder .*missing/);
  });
});
