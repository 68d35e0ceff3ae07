import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import { createLspClient, discoveryFiles, type LspClientOptions } from "./testing/lsp-client.ts";

/** An editor with a plugin. */
async function startEditor(params: object = {}, options: LspClientOptions = {}) {
  const client = createLspClient(options);
  await client.start({ ...params, capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  return client;
}

/** One that runs until it is killed. */
const startProcess = () => spawn(process.execPath, ["--eval", "process.stdin.resume()"]);

describe("the end of an editor", () => {
  test("by shutdown and exit leaves no file, and the exit code 0", async () => {
    const client = await startEditor();
    await client.connection.sendRequest("shutdown");
    expect(discoveryFiles(client.host, "gemini")).toEqual([]);
    await client.connection.sendNotification("exit");
    expect(await client.frontend.ended).toBe(0);
  });

  test("without a word ends the frontend with 1", async () => {
    const client = await startEditor();
    client.hangUp();
    expect(await client.frontend.ended).toBe(1);
    await client.frontend.close();
    expect(discoveryFiles(client.host, "gemini")).toEqual([]);
    expect(discoveryFiles(client.host, "qwen")).toEqual([]);
  });

  test("that leaves its pipes open behind it ends the frontend with 1", async () => {
    const editor = startProcess();
    const client = await startEditor({ processId: editor.pid ?? 0 });
    editor.kill("SIGKILL");
    expect(await client.frontend.ended).toBe(1);
  });

  test("is the end of the process in which it has gone on, and not of its first one", async () => {
    const [first, next] = [startProcess(), startProcess()];
    let isAsked = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const processes = [next.pid, undefined];
    const findProcess = async () => {
      isAsked();
      return processes.shift();
    };
    const client = await startEditor({ processId: first.pid ?? 0 }, { findProcess });
    first.kill("SIGKILL");
    await asked;
    next.kill("SIGKILL");
    expect(await client.frontend.ended).toBe(1);
    expect(processes).toEqual([]);
  });
});
