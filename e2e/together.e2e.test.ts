import { expect } from "vitest";
import { startConnected } from "./harness/agent-cli.ts";
import { startFixture } from "./harness/fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";

scenario(
  "Gemini CLI and Qwen Code, each with a diff of the same file, get their own outcomes",
  async (sandbox) => {
    const path = sandbox.path("shared.txt");
    const { page, cli: first } = await startFixture(sandbox, gemini);
    const second = await startConnected(sandbox, qwen);
    await first.proposeWrite(path, "from Gemini\n");
    await second.proposeWrite(path, "from Qwen\n");
    await (await page.proposal("shared.txt", "Gemini CLI")).reject();
    await first.terminal.waitFor(gemini.rejected);
    expect(await sandbox.read("shared.txt")).toBeUndefined();
    await second.terminal.waitFor("Apply this change?");
    await (await page.proposal("shared.txt", "Qwen Code")).accept();
    await second.finished();
    expect(String(await sandbox.read("shared.txt"))).toBe("from Qwen\n");
  },
);

scenario(
  "two Gemini CLIs, each with a diff, get their own outcomes",
  async (sandbox) => {
    const { page, cli: first } = await startFixture(sandbox, gemini);
    const second = await startConnected(sandbox, gemini);
    await first.proposeWrite(sandbox.path("one.txt"), "one\n");
    await second.proposeWrite(sandbox.path("two.txt"), "two\n");
    await (await page.proposal("two.txt", "Gemini CLI 2")).accept();
    await second.finished();
    expect(await sandbox.read("one.txt")).toBeUndefined();
    await first.terminal.waitFor("Apply this change?");
    await (await page.proposal("one.txt")).accept();
    await first.finished();
    expect(String(await sandbox.read("one.txt"))).toBe("one\n");
    expect(String(await sandbox.read("two.txt"))).toBe("two\n");
  },
  { matrix: true },
);
