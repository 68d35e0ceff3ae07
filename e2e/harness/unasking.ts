import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { waitForSnapshots } from "../../packages/testkit/src/snapshots.ts";
import { type AgentKind, oneProcess, writeSettings } from "./agent-cli.ts";
import { claudeEnv, installClaude, newestClaude, writeClaudeConfig } from "./claude.ts";
import { writeConfig } from "./codex.ts";
import { copilotEnv, installCopilot } from "./copilot.ts";
import { pathWithCommand } from "./editor.ts";
import { gemini } from "./gemini.ts";
import { callCommand } from "./installation.ts";
import { codex as codexProgram, newerNode } from "./installed.ts";
import { type Model, startModel, type Turn } from "./model.ts";
import { qwen } from "./qwen.ts";

const run = promisify(execFile);

/** An agent's CLI that never asks, and answers one prompt in each run. */
export interface Unasking {
  readonly name: string;
  /** Writes its settings. @returns program and arguments before the prompt, and its variables */
  setUp(
    sandbox: Sandbox,
    model: Model,
  ): Promise<{ readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> }>;
}

const inYoloMode = (kind: AgentKind): Unasking => ({
  name: kind.name,
  async setUp(sandbox, model) {
    await writeSettings(sandbox, kind, []);
    const command = [...kind.command, "--approval-mode", "yolo", "-p"];
    return { command, env: { ...kind.env(model), ...oneProcess } };
  },
});

export const unaskingGemini = inYoloMode(gemini);
export const unaskingQwen = inYoloMode(qwen);
export const unaskingCodex: Unasking = {
  name: "codex",
  async setUp(sandbox, model) {
    await writeConfig(sandbox, model, sandbox.workspace);
    const flags = ["hook-trust", "approvals-and-sandbox"].map((what) => `--dangerously-bypass-${what}`);
    const command = [codexProgram, "exec", ...flags, "--skip-git-repo-check"];
    return { command, env: { OPENAI_API_KEY: "fake" } };
  },
};

export const unaskingClaude: Unasking = {
  name: "claude",
  async setUp(sandbox, model) {
    const program = await installClaude(newestClaude);
    await writeClaudeConfig(sandbox);
    return { command: [...program, "--permission-mode", "acceptEdits", "-p"], env: claudeEnv(model) };
  },
};
export const unaskingCopilot: Unasking = {
  name: "copilot",
  setUp: async (_, model) => ({
    command: [await installCopilot(), "--allow-all-tools", "-p"],
    env: copilotEnv(model),
  }),
};

/** Sets up a CLI and our hooks. @returns what runs it for one prompt, which these turns of the model answer */
export async function setUpUnasking(sandbox: Sandbox, agent: Unasking) {
  const model = await startModel(sandbox);
  const { command, env } = await agent.setUp(sandbox, model);
  await callCommand(sandbox, "install", "--yes", agent.name);
  const PATH = `${await pathWithCommand(sandbox)}:${newerNode}`;
  const [program = "", ...args] = command;
  return async (prompt: string, ...turns: readonly Turn[]): Promise<string> => {
    model.plan(...turns);
    const options = { cwd: sandbox.workspace, env: { ...sandbox.env, ...env, PATH } };
    const ran = run(program, [...args, prompt], options);
    // It would wait for more of the prompt.
    ran.child.stdin?.end();
    const { stdout } = await ran;
    waitForSnapshots(sandbox.home);
    return stdout;
  };
}
