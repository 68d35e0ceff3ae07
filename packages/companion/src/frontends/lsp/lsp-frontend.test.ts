import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { agents } from "../../agents/agents.ts";
import type { Host } from "../../system/host.ts";
import { privateHost } from "../../testing/core.ts";
import { startReviewFrontend } from "../review/review-frontend.ts";
import { startLspFrontend } from "./lsp-frontend.ts";
import { createLspClient, discoveryFiles } from "./testing/lsp-client.ts";

test("a frontend that is closed does not look for its editor's process any more", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const [input, output] = [new PassThrough(), new PassThrough()];
  const frontend = startLspFrontend({
    input,
    output,
    host: privateHost(),
    version: "0.0.0",
    startPage: startReviewFrontend,
    openLink: async () => false,
  });
  const params = { processId: process.pid, capabilities: {} };
  const json = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  input.write(`Content-Length: ${json.length}\r\n\r\n${json}`);
  await new Promise((resolve) => output.once("data", resolve));
  expect(vi.getTimerCount()).toBe(1);
  input.end();
  await frontend.ended;
  await frontend.close();
  expect(vi.getTimerCount()).toBe(0);
});

test("an editor that git has started for a message takes no CLI from another one", async () => {
  const host = privateHost();
  const env = { GIT_EXEC_PATH: "/usr/lib/git-core", GIT_PREFIX: "" };
  const client = createLspClient({ host: { ...host, env } });
  // A companion that starts reports it.
  leaveDiscoveryFile(client.host, client.root);
  const rootUri = pathToFileURL(client.root).href;
  await client.connection.sendRequest("initialize", { processId: null, rootUri, capabilities: {} });
  await client.connection.sendNotification("initialized", {});
  await client.connection.sendRequest("shutdown");
  expect(client.reported.filter(({ method }) => method === "window/showMessage")).toEqual([]);
});

test("an editor that initializes twice has one companion, and leaves none behind", async () => {
  const client = createLspClient();
  await client.start();
  const before = discoveryFiles(client.host, "gemini");
  const again = client.connection.sendRequest("initialize", { processId: null, capabilities: {} });
  await expect(again).rejects.toThrow("initialize has been sent already");
  await client.connection.sendNotification("initialized", {});
  await client.connection.sendRequest("shutdown");
  expect(before).toHaveLength(1);
  expect(discoveryFiles(client.host, "gemini")).toEqual([]);
});

test.each([
  ["with a plugin", { experimental: { ideCompanion: { version: 1 } } }],
  ["without a plugin", {}],
])(
  "an editor %s shows once that its last companion was killed, and what frees Gemini CLI",
  async (_, capabilities) => {
    const client = createLspClient();
    leaveDiscoveryFile(client.host, client.root);
    await client.start({ capabilities });
    await client.connection.sendRequest("shutdown");
    const messages = client.reported.filter(({ method }) => method === "window/showMessage");
    expect(messages.map(({ params }) => params.message)).toEqual([
      "If Gemini CLI hangs, press Ctrl-C once, then type /ide enable: the last companion of this folder was killed.",
    ]);
  },
);

test("an editor does not hear of a companion that was killed in another folder", async () => {
  const client = createLspClient();
  leaveDiscoveryFile(client.host, path.join(client.root, "other"));
  await client.start();
  await client.connection.sendRequest("shutdown");
  expect(client.reported.filter(({ method }) => method === "window/showMessage")).toEqual([]);
});

/** What a companion leaves when it is killed: Gemini CLI's file, of a process that has ended. */
function leaveDiscoveryFile(host: Host, workspacePath: string): void {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const folder = agents.find(({ name }) => name === "gemini")?.discoveryFolders(host)[0]?.path ?? "";
  mkdirSync(folder, { recursive: true });
  const content = { port: 5000, workspacePath, ppid: process.pid, serverPid: pid };
  writeFileSync(path.join(folder, `gemini-ide-server-${process.pid}-5000.json`), JSON.stringify(content));
}
