import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleServers } from "./bundle.mjs";
import { ServerProcess } from "./server-process.mjs";
import { createFolders } from "./testkit.mjs";
import { WireClient } from "./wire.mjs";

let bench;

beforeAll(async () => {
  const sandbox = await createFolders();
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
      const { open, close } = client.diff(filePath, "new\n");
      await client.call(open);
      await client.call(close);
      expect(await server.ask("cpu")).toBeGreaterThan(0);
      client.close();
    } finally {
      await server.close();
    }
  },
);
