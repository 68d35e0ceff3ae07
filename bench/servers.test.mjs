import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleServers } from "./bundle.mjs";
import { createSandbox } from "./sandbox.mjs";
import { ServerProcess } from "./server-process.mjs";
import { WireClient } from "./wire.mjs";

let bench;

beforeAll(async () => {
  const sandbox = await createSandbox();
  bench = { sandbox, bundles: join(sandbox.folder, "bundles") };
  await bundleServers(bench.bundles);
});
afterAll(() => bench.sandbox.remove());

test.each(["floor", "sdk", "ours", "companion", "executable", "page"])(
  "the measured server %s opens a diff, closes it, and says what it has used",
  async (kind) => {
    const server = await ServerProcess.start(kind, bench);
    try {
      const client = new WireClient(server);
      await client.connect();
      const filePath = join(bench.sandbox.workspace, "a.ts");
      await client.call(client.toolCall("openDiff", { filePath, newContent: "new\n" }));
      await client.call(client.toolCall("closeDiff", { filePath, suppressNotification: true }));
      expect(await server.ask("cpu")).toBeGreaterThan(0);
      client.close();
    } finally {
      await server.close();
    }
  },
);
