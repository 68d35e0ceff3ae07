import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { admitVisitor } from "../review/testing/visitor.ts";
import { createLspClient } from "./testing/lsp-client.ts";

/** An editor that announces this, one of its files, and an agent that has found it. */
async function startEditor(capabilities: object) {
  const client = createLspClient();
  await client.start({ capabilities });
  const file = path.join(client.root, "it's ä.ts");
  writeFileSync(file, "x");
  return { client, file, agent: await (await client.agent()).initialize() };
}

const plugin = (capabilities: object) => ({
  experimental: { ideCompanion: { version: 1, ...capabilities } },
});

describe("an editor with a plugin", () => {
  test("that shows files is asked to", async () => {
    const { client, file, agent } = await startEditor(plugin({ openFile: true }));
    const asked: unknown[] = [];
    client.connection.onRequest("companion/openFile", (params) => {
      asked.push(params);
      return null;
    });
    await agent.call("openFile", { filePath: file, line: 12, character: 5 });
    await agent.call("openFile", { filePath: file });
    expect(asked).toEqual([{ path: file, line: 12, character: 5 }, { path: file }]);
  });

  test("says itself why it shows one not", async () => {
    const { client, file, agent } = await startEditor(plugin({ openFile: true }));
    client.connection.onRequest("companion/openFile", () => {
      throw new Error("there is no window");
    });
    expect(JSON.stringify(await agent.call("openFile", { filePath: file }))).toContain("there is no window");
  });

  test("opens files for the review page that helps it out, those of its folders alone", async () => {
    const { client, file, agent } = await startEditor(plugin({ openFile: true }));
    client.connection.onRequest("companion/openDiff", () => {
      throw new Error("no room");
    });
    const asked: unknown[] = [];
    client.connection.onRequest("companion/openFile", (params) => {
      asked.push(params);
      return null;
    });
    await agent.call("openDiff", { filePath: file, newContent: "y" });
    const [link = ""] = client.links;
    const page = await (await admitVisitor({ url: new URL("/", link).href, newLink: () => link })).openPage();
    const open = (path: string) => page.ask({ type: "openFile", path, line: 12 });
    await open(file);
    await expect(open("/etc/hosts")).rejects.toThrow("/etc/hosts lies outside of the folders opened here.");
    await expect(open(`${file}x`)).rejects.toThrow(`There is no file ${file}x.`);
    expect(asked).toEqual([{ path: file, line: 12 }]);
  });

  test("that knows diagnostics is asked for those of a file, or for all", async () => {
    const { client, file, agent } = await startEditor(plugin({ diagnostics: true }));
    const found = { path: file, line: 3, character: 7, severity: "error", message: "wrong", source: "tsc" };
    const asked: unknown[] = [];
    client.connection.onRequest("companion/diagnostics", (params) => {
      asked.push(params);
      return { diagnostics: [{ ...found, code: 2304 }] };
    });
    const { path: filePath, ...rest } = found;
    expect((await agent.call("getDiagnostics", { filePath: file })).result).toMatchObject({
      structuredContent: { diagnostics: [{ ...rest, filePath, code: "2304" }], omitted: 0 },
    });
    await agent.call("getDiagnostics", {});
    expect(asked).toEqual([{ path: file }, {}]);
  });

  test("that has terminals is asked for one by the processes of an agent, and types into it", async () => {
    const client = createLspClient();
    await client.start({ capabilities: plugin({ terminals: true }) });
    await (await client.agent()).openStream();
    const asked: { method: string; params: unknown }[] = [];
    client.connection.onRequest("companion/readTerminal", (params) => {
      asked.push({ method: "read", params });
      return { pid: process.pid, screen: " >   Type your message or @path/to/file" };
    });
    client.connection.onRequest("companion/typeInTerminal", (params) => {
      asked.push({ method: "type", params });
      return null;
    });
    const sent = await client.connection.sendRequest("companion/send", { text: "why?" });
    expect(asked[0]?.params).toMatchObject({ pids: expect.arrayContaining([process.pid, process.ppid]) });
    // The agent of this test has no terminal in whose foreground it could be.
    expect(sent).toEqual({ message: "The prompt of Gemini CLI is not empty: it is {place}", copy: "why? " });
    expect(asked.filter(({ method }) => method === "type")).toEqual([]);
  });

  test("that has announced neither is not bothered", async () => {
    const { file, agent } = await startEditor(plugin({}));
    for (const tool of ["openFile", "getDiagnostics"]) {
      const { error } = await agent.call(tool, { filePath: file });
      expect(error?.message).toContain("unknown tool");
    }
  });
});

describe("an editor without a plugin", () => {
  test("that opens documents shows a file, without the focus", async () => {
    const { client, file, agent } = await startEditor({ window: { showDocument: { support: true } } });
    const asked: unknown[] = [];
    client.connection.onRequest("window/showDocument", (params) => {
      asked.push(params);
      return { success: true };
    });
    await agent.call("openFile", { filePath: file, line: 12, character: 5 });
    await agent.call("openFile", { filePath: file });
    const [uri, start] = [pathToFileURL(file).href, { line: 11, character: 4 }];
    expect(asked).toEqual([
      { uri, takeFocus: false, selection: { start, end: start } },
      { uri, takeFocus: false },
    ]);
  });

  test("that has not shown it says so", async () => {
    const { client, file, agent } = await startEditor({ window: { showDocument: { support: true } } });
    client.connection.onRequest("window/showDocument", () => ({ success: false }));
    expect((await agent.call("openFile", { filePath: file })).result).toMatchObject({ isError: true });
  });

  test("that opens none has no tool for it, and none for what other servers have found", async () => {
    const { file, agent } = await startEditor({});
    for (const tool of ["openFile", "getDiagnostics"]) {
      expect((await agent.call(tool, { filePath: file })).error?.message).toContain("unknown tool");
    }
  });
});
