import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { waitForSnapshots } from "../../packages/testkit/src/snapshots.ts";
import { type AgentKind, oneProcess, writeSettings } from "./agent-cli.ts";
import { claudeEnv, installClaude, newestClaude, writeClaudeConfig } from "./claude.ts";
import { codeMode, writeConfig } from "./codex.ts";
import { copilotEnv, installCopilot } from "./copilot.ts";
import { pathWithCommand } from "./editor.ts";
import { gemini } from "./gemini.ts";
import { callCommand } from "./installation.ts";
import { codex as codexProgram, newerNode } from "./installed.ts";
import { type Model, startModel, type Turn } from "./model.ts";
import { qwen } from "./qwen.ts";

/** An agent's CLI that never asks, and answers one prompt in each run. */
export interface Unasking {
  readonly name: string;
  /** Writes its settings. */
  setUp(sandbox: Sandbox, model: Model): Promise<UnaskingStart>;
}

/** One whose model's tools are known. */
export interface Writer extends Unasking {
  readonly displayName: string;
  /** The calls by which it writes BETA in the place of beta, and `new` into a new file. */
  calls(path: string, fresh: string): readonly Turn[];
}

interface UnaskingStart {
  readonly command: readonly string[];
  /** The words that come next to go on with its last session. */
  readonly goOn: readonly string[];
  /** What stands before the prompt. */
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const inYoloMode = (kind: AgentKind, ...goOn: readonly string[]): Writer => ({
  name: kind.name,
  displayName: kind.displayName,
  calls: (path, fresh) => [
    { call: "read_file", args: { file_path: path } },
    kind.replaceCall(path, "beta", "BETA"),
    { call: "write_file", args: { file_path: fresh, content: "new\n" } },
  ],
  async setUp(sandbox, model) {
    await writeSettings(sandbox, kind, []);
    const flags = ["--approval-mode", "yolo", "-p"];
    return { command: kind.command, goOn, flags, env: { ...kind.env(model), ...oneProcess } };
  },
});

export const unaskingGemini = inYoloMode(gemini, "--resume", "latest");
export const unaskingQwen = inYoloMode(qwen, "--continue");
const codexWith = (...words: readonly string[]): Unasking => ({
  name: "codex",
  async setUp(sandbox, model) {
    await writeConfig(sandbox, model, [sandbox.workspace]);
    const bypasses = ["hook-trust", "approvals-and-sandbox"].map((what) => `--dangerously-bypass-${what}`);
    const command = [codexProgram, "exec", ...bypasses, "--skip-git-repo-check", ...words];
    return { command, goOn: ["resume", "--last"], flags: [], env: { OPENAI_API_KEY: "fake" } };
  },
});
export const unaskingCodex = codexWith();
export const unaskingCodexByScripts = codexWith(...codeMode);

export const unaskingClaude: Writer = {
  name: "claude",
  displayName: "Claude Code",
  calls: (path, fresh) => [
    { call: "Read", args: { file_path: path } },
    { call: "Edit", args: { file_path: path, old_string: "beta", new_string: "BETA" } },
    { call: "Write", args: { file_path: fresh, content: "new\n" } },
  ],
  async setUp(sandbox, model) {
    const command = await installClaude(newestClaude);
    await writeClaudeConfig(sandbox);
    const flags = ["--permission-mode", "acceptEdits", "-p"];
    return { command, goOn: ["--continue"], flags, env: claudeEnv(model) };
  },
};
export const unaskingCopilot: Writer = {
  name: "copilot",
  displayName: "Copilot CLI",
  calls: (path, fresh) => [
    { call: "edit", args: { path, old_str: "beta", new_str: "BETA" } },
    { call: "create", args: { path: fresh, file_text: "new\n" } },
  ],
  setUp: async (_, model) => ({
    command: [await installCopilot()],
    goOn: ["--continue"],
    flags: ["--allow-all-tools", "-p"],
    env: copilotEnv(model),
  }),
};

/**
 * Sets up a CLI and our hooks.
 * @returns what runs it for one prompt, which these turns of the model answer: `prompt` in a new session, with what it
 * prints, and `goOn` in the last one, with what the model read last
 */
export async function setUpUnasking(sandbox: Sandbox, agent: Unasking) {
  const model = await startModel(sandbox);
  const { command, goOn, flags, env } = await agent.setUp(sandbox, model);
  await callCommand(sandbox, "install", "--yes", agent.name);
  const PATH = `${await pathWithCommand(sandbox)}:${newerNode}`;
  const call = async (words: readonly string[], turns: readonly Turn[]): Promise<string> => {
    model.plan(...turns);
    const options = { cwd: sandbox.workspace, env: { ...sandbox.env, ...env, PATH } };
    const [program = "", ...args] = [...command, ...words];
    const ran = run(program, args, options);
    // It would wait for more of the prompt.
    ran.child.stdin?.end();
    const { stdout } = await ran;
    waitForSnapshots(sandbox.home);
    return stdout;
  };
  return {
    prompt: (text: string, ...turns: readonly Turn[]) => call([...flags, text], turns),
    async goOn(text: string, ...turns: readonly Turn[]) {
      await call([...goOn, ...flags, text], turns);
      return model.requests.at(-1)?.text ?? "";
    },
  };
}
