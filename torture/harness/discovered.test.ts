import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { lockFolder } from "../../packages/companion/src/agents/copilot-cli/lock-file.ts";
import { copilotLocks } from "./discovered.ts";
import { createSandbox } from "./sandbox.ts";

test("a lock file that is empty while its companion rewrites it is not read", () => {
  const sandbox = createSandbox();
  onTestFinished(() => sandbox.remove());
  const folder = lockFolder(sandbox.host);
  mkdirSync(folder, { recursive: true });
  const write = (digit: string, text: string) =>
    writeFileSync(join(folder, `${digit.repeat(8)}-0000-4000-8000-000000000000.lock`), text);
  write("1", "");
  write("2", JSON.stringify({ socketPath: "/s", headers: {}, pid: 7 }));
  expect(copilotLocks(sandbox.host).map(({ content }) => content.pid)).toEqual([7]);
});
