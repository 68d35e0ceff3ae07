import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startLspDriver } from "./lsp-driver.ts";
import { createSandbox } from "./sandbox.ts";

test("an executable that ends at once is named instead of waited for", async () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const broken = join(sandbox.folder, "broken.js");
  writeFileSync(broken, "process.exit(3);");
  await expect(startLspDriver(sandbox, broken)).rejects.toThrow("ide-companion lsp ended with 3");
});
