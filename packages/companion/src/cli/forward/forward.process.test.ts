import path from "node:path";
import { expect, test } from "vitest";
import { createSandbox, serve, start, useExecutable } from "../process-fixture.ts";

useExecutable();

test("forward that cannot start says why, and ends", async () => {
  const sandbox = createSandbox();
  await serve(sandbox);
  const env = { TMPDIR: path.join(sandbox.folder, "gone") };
  const run = start(sandbox, ["forward", "nowhere"], { env });
  expect(await run.end).toBe(1);
  expect(run.text).toMatch(/error: .*gone/);
});
