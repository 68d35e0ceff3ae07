import { expect, test } from "vitest";
import { createSandbox, installExecutable, startProgram, useExecutable } from "../process-fixture.ts";

useExecutable();

test("its lines are not broken at each word in a terminal that has no size", async () => {
  const sandbox = createSandbox();
  installExecutable(sandbox);
  const run = startProgram(sandbox, "script", ["-qec", "ide-companion doctor gemini", "/dev/null"], {
    env: { NO_COLOR: "1" },
    ownGroup: true,
  });
  expect(await run.end).toBe(1);
  expect(run.text).toContain("→ Say /ide enable in the CLI: it keeps that in its settings.");
});
