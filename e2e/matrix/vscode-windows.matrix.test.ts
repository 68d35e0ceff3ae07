import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { startAgent, startConnected } from "../harness/agent-cli.ts";
import { gemini } from "../harness/gemini.ts";
import { inWindow } from "../harness/integrated-terminal.ts";
import { qwen } from "../harness/qwen.ts";
import { scenario } from "../harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "../harness/vscode.ts";
import { openWindow } from "../harness/vscode-window.ts";
import { lookAt } from "../harness/window-editor.ts";

scenario(
  "two windows on one folder and one on another: each CLI is bound to its own",
  async (sandbox) => {
    const other = join(sandbox.home, "other");
    await mkdir(other);
    const { server, browser, window: first } = await startVscode(sandbox);
    const second = await openWindow(sandbox, browser, server.urlOf(sandbox.workspace));
    const third = await openWindow(sandbox, browser, server.urlOf(other));
    const one = await startAgent(sandbox, gemini, { start: inWindow(first, "gemini", "Run Gemini CLI") });
    const two = await startAgent(sandbox, qwen, { start: inWindow(second, "qwen", "Run Qwen Code") });
    await one.connected();
    await two.connected();
    await first.status.filter({ hasText: "Gemini CLI" }).waitFor();
    await second.status.filter({ hasText: "Qwen Code" }).waitFor();
    await third.status.filter({ hasText: "No agent" }).waitFor();
    const three = await startConnected(sandbox, gemini, { cwd: other, trusted: [other] });
    await third.status.filter({ hasText: "Gemini CLI" }).waitFor();
    await one.proposeWrite(sandbox.path("one.txt"), "of the first\n");
    await two.proposeWrite(sandbox.path("two.txt"), "of the second\n");
    await first.tab("one.txt (Gemini CLI)").click();
    await second.tab("two.txt (Qwen Code)").click();
    await (await lookAt(second)).accept();
    await two.finished();
    await (await lookAt(first)).reject();
    await one.terminal.waitFor(gemini.rejected);
    expect(String(await sandbox.read("two.txt"))).toBe("of the second\n");
    expect(await sandbox.read("one.txt")).toBeUndefined();
    await three.proposeWrite(join(other, "three.txt"), "of the third\n");
    await third.tab("three.txt (Gemini CLI)").click();
    for (const window of [first, second]) expect(await window.tab("three.txt").count()).toBe(0);
    await (await lookAt(third)).accept();
    await three.finished();
    expect(await readFile(join(other, "three.txt"), "utf8")).toBe("of the third\n");
  },
  { needs, within: 480_000 },
);
