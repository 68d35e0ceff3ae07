import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { gemini } from "./harness/gemini.ts";
import { inWindow } from "./harness/integrated-terminal.ts";
import { qwen } from "./harness/qwen.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import { openWindow } from "./harness/vscode-window.ts";
import { lookAt } from "./harness/window-editor.ts";

chain(
  "two windows on one folder and one on another: each CLI is bound to its own",
  async (world) => {
    const other = join(world.home, "other");
    await mkdir(other);
    const { server, browser, window: first } = await startVscode(world);
    const second = await openWindow(world, browser, server.urlOf(world.workspace));
    const third = await openWindow(world, browser, server.urlOf(other));
    const one = await startAgent(world, gemini, { start: inWindow(first, "gemini", "Run Gemini CLI") });
    const two = await startAgent(world, qwen, { start: inWindow(second, "qwen", "Run Qwen Code") });
    await one.connected();
    await two.connected();
    await first.status.filter({ hasText: "Gemini CLI" }).waitFor();
    await second.status.filter({ hasText: "Qwen Code" }).waitFor();
    await third.status.filter({ hasText: "No agent" }).waitFor();
    const three = await startAgent(world, gemini, { cwd: other, trusted: [other] });
    await three.connected();
    await third.status.filter({ hasText: "Gemini CLI" }).waitFor();
    await one.proposeWrite(world.path("one.txt"), "of the first\n");
    await two.proposeWrite(world.path("two.txt"), "of the second\n");
    await first.tab("one.txt (Gemini CLI)").click();
    await second.tab("two.txt (Qwen Code)").click();
    await (await lookAt(second)).accept();
    await two.finished();
    await (await lookAt(first)).reject();
    await one.terminal.waitFor(gemini.rejected);
    expect(String(await world.read("two.txt"))).toBe("of the second\n");
    expect(await world.read("one.txt")).toBeUndefined();
    await three.proposeWrite(join(other, "three.txt"), "of the third\n");
    await third.tab("three.txt (Gemini CLI)").click();
    for (const window of [first, second]) expect(await window.tab("three.txt").count()).toBe(0);
    await (await lookAt(third)).accept();
    await three.finished();
    expect(await readFile(join(other, "three.txt"), "utf8")).toBe("of the third\n");
  },
  { needs, within: 480_000 },
);
