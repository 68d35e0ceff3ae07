import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { startConnected } from "../harness/agent-cli.ts";
import { startFixture } from "../harness/fixture.ts";
import { gemini } from "../harness/gemini.ts";
import { qwen } from "../harness/qwen.ts";
import { scenario } from "../harness/scenario.ts";

/** A stream that is silent for five minutes is dropped by the CLIs. */
const silence = 6 * 60_000;

scenario(
  "after six minutes without a word a diff still opens in both CLIs",
  async (sandbox) => {
    const { page, cli: first } = await startFixture(sandbox, gemini);
    const second = await startConnected(sandbox, qwen);
    // The time itself is what is tested.
    await delay(silence);
    for (const [cli, name] of [
      [first, "gemini.txt"],
      [second, "qwen.txt"],
    ] as const) {
      await cli.connected();
      await cli.proposeWrite(sandbox.path(name), "still here\n");
      await (await page.proposal(name)).accept();
      await cli.finished();
      expect(String(await sandbox.read(name))).toBe("still here\n");
    }
  },
  { within: silence + 180_000 },
);
