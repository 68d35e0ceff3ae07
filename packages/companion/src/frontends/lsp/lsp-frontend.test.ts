import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateHost } from "../../testing/core.ts";
import { startLspFrontend } from "./lsp-frontend.ts";
import { discoveryFiles } from "./testing/discovery-contents.ts";
import { createLspClient } from "./testing/lsp-client.ts";

test("a frontend that is closed does not look for its editor's process any more", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const [input, output] = [new PassThrough(), new PassThrough()];
  const frontend = startLspFrontend({
    input,
    output,
    host: privateHost(),
    version: "0.0.0",
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
