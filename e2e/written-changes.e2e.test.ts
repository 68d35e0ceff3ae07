import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { type AgentKind, oneProcess, writeSettings } from "./harness/agent-cli.ts";
import { pathWithCommand } from "./harness/editor.ts";
import { gemini } from "./harness/gemini.ts";
import { callCommand } from "./harness/installation.ts";
import { newerNode } from "./harness/installed.ts";
import { startModel, type Turn } from "./harness/model.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";

const run = promisify(execFile);

/** A CLI that never asks, with the hooks that `install` sets up. @returns what runs it for one prompt */
async function setUpUnasking(sandbox: Sandbox, kind: AgentKind) {
  await writeSettings(sandbox, kind, []);
  await callCommand(sandbox, "install", "--yes", kind.name);
  const model = await startModel(sandbox);
  const env = {
    ...sandbox.env,
    ...kind.env(model),
    ...oneProcess,
    PATH: `${await pathWithCommand(sandbox)}:${newerNode}`,
  };
  const [program = "", ...args] = kind.command;
  return async (prompt: string, ...turns: readonly Turn[]) => {
    model.plan(...turns);
    const ran = run(program, [...args, "--approval-mode", "yolo", "-p", prompt], {
      cwd: sandbox.workspace,
      env,
    });
    // It would wait for more of the prompt.
    ran.child.stdin?.end();
    return (await ran).stdout;
  };
}

const poem = (changed: Readonly<Record<number, string>> = {}) =>
  `\uFEFF${Array.from({ length: 30 }, (_, index) => changed[index + 1] ?? `line ${index + 1}`).join("\r\n")}`;

for (const kind of [gemini, qwen])
  scenario(
    `what ${kind.displayName} writes in yolo mode is reverted byte by byte, without a companion, and the user's lines stay`,
    async (sandbox) => {
      const path = await sandbox.write("poem.txt", poem());
      const prompt = await setUpUnasking(sandbox, kind);
      const write = (name: string) => ({
        call: "write_file",
        args: { file_path: sandbox.path(name), content: "new\n" },
      });
      const answer = await prompt(
        "Change two files",
        { call: "read_file", args: { file_path: path } },
        kind.replaceCall(path, "line 3\n", "third\n"),
        write("new.txt"),
        { text: "Both are done." },
      );
      expect(answer).toContain("Both are done.");
      expect(String(await sandbox.read("poem.txt"))).toBe(poem({ 3: "third" }));
      await sandbox.write("poem.txt", poem({ 3: "third", 28: "mine" }));

      const { turns } = JSON.parse(await callCommand(sandbox, "changes", "--json"));
      expect(turns).toMatchObject([
        {
          agent: kind.name,
          title: "Change two files",
          changes: [
            { path, kind: "modified", added: 1, removed: 1 },
            { path: sandbox.path("new.txt"), kind: "added", added: 1, removed: 0 },
          ],
        },
      ]);
      await callCommand(sandbox, "changes", "revert", "--yes");
      expect(String(await sandbox.read("poem.txt"))).toBe(poem({ 28: "mine" }));
      expect(await sandbox.read("new.txt")).toBeUndefined();

      // A CLI that cannot call its hook must not stop.
      await rm(join(sandbox.home, "bin", "ide-companion"));
      await prompt("Write another one", write("again.txt"), { text: "It is done as well." });
      expect(String(await sandbox.read("again.txt"))).toBe("new\n");
    },
    { matrix: kind === qwen },
  );
