import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askAsCodex, codexSocket, contextOf } from "../../packages/testkit/src/fake-cli/codex-cli.ts";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { codex as program } from "./installed.ts";
import { type Model, startModel } from "./model.ts";
import { insistOn, pressUntil, squeeze, startTerminal } from "./terminal.ts";

export interface CodexOptions {
  readonly cwd?: string;
  /** Starts it in place of its program alone. */
  readonly command?: readonly string[];
}

/** Without this flag, it starts a second program, which outlives it. */
const codexCommand = [program, "--no-daemon"] as const;

/** A text that changes files, as models of OpenAI write it. */
export const toPatch = (lines: readonly string[]): string =>
  ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** How a model without a tool for it makes a patch. */
export const patchBy = (...lines: readonly string[]) => patchIn("", ...lines);

/** @param before what stands before it in its line */
export const patchIn = (before: string, ...lines: readonly string[]) => ({
  call: "exec_command",
  args: { cmd: `${before}apply_patch <<'EOF'\n${toPatch(lines)}\nEOF` },
});

/** Has a model that writes scripts, which call its tools. */
export const codeMode = ["-m", "gpt-6.2-sol"] as const;

/**
 * A call of such a model.
 * @param seconds after which it reads that its script still runs; half a minute where it does not say
 */
export const scriptOf = (lines: readonly string[], seconds = 30) => ({
  call: "exec",
  args: { script: [`// @exec: {"yield_time_ms": ${seconds * 1000}}`, ...lines].join("\n") },
});

/** A line of such a script. */
export const scriptedPatch = (...lines: readonly string[]) =>
  `await tools.apply_patch(${JSON.stringify(toPatch(lines))});`;

/** A real Codex CLI in a real terminal, with a private scripted model. */
export type Codex = Awaited<ReturnType<typeof startCodex>>;

export async function startCodex(sandbox: Sandbox, options: CodexOptions = {}) {
  const { cwd = sandbox.workspace, command = codexCommand } = options;
  const model = await startModel(sandbox);
  await writeConfig(sandbox, model, [cwd]);
  return openTerminal(sandbox, model, { cwd, command });
}

/**
 * As it is by default: the turns of all terminals run in one service. The first terminal starts it, and it outlives
 * them, together with a program that updates it.
 * @param folders that the user trusts
 * @returns what starts a terminal
 */
export async function shareCodex(sandbox: Sandbox, folders: readonly string[]) {
  const model = await startModel(sandbox);
  await writeConfig(sandbox, model, folders, { sharesService: true });
  sandbox.own({
    async close() {
      for (const name of ["daemon-updater", "daemon"]) {
        const file = join(sandbox.home, ".codex", "app-server-daemon", `${name}.pid`);
        if (existsSync(file)) await killTree(JSON.parse(await readFile(file, "utf8")).pid);
      }
    },
  });
  return (options: Required<CodexOptions>) => openTerminal(sandbox, model, options);
}

async function openTerminal(sandbox: Sandbox, model: Model, { cwd, command }: Required<CodexOptions>) {
  const terminal = await startTerminal(sandbox, { command, cwd, env: { OPENAI_API_KEY: "fake" } });
  return {
    terminal,
    model,
    /** Types a prompt or a slash command and sends it. */
    async say(text: string) {
      await terminal.waitFor(/^\s*›/m);
      const type = async () => {
        await terminal.press("C-u");
        await terminal.type(text);
      };
      const holds = (screen: string) => squeeze(screen).includes(`›${squeeze(text)}`);
      await insistOn(terminal, `${text} typed`, type, holds);
      // Directly behind typed text, Enter is a part of a paste.
      await pressUntil(terminal, "Enter", (screen) => !isTyped(screen, text));
    },
  };
}

/** What a companion answers for a folder, as JSON; waits until one does, and its answer has this text. */
export const answerFor = (sandbox: Sandbox, folder: string, text = ""): Promise<string> =>
  poll(`answer for ${folder} with ${text}`, async () => {
    const end = (cleanup: () => void) => void sandbox.own({ close: async () => cleanup() });
    const answer = await askAsCodex(codexSocket(sandbox), folder, end).then(contextOf, () => undefined);
    const found = typeof answer === "object" ? JSON.stringify(answer) : undefined;
    return found?.includes(text) ? found : undefined;
  });

/** Has `/ide` send the context with each prompt. */
export async function enableIde({ say, terminal }: Codex): Promise<void> {
  await say("/ide on");
  await terminal.waitFor("IDE context is on");
}

/** Sends a prompt. @returns all that the model was sent with it, earlier prompts as well */
export async function askCodex(cli: Codex, words: string): Promise<string> {
  cli.model.plan({ text: `An answer to: ${words}.` });
  await cli.say(words);
  await cli.terminal.waitFor(`An answer to: ${words}.`);
  return (await cli.model.request(words)).text;
}

/** Sends a prompt. @returns what the model was sent of the IDE and with the prompt */
export async function promptCodex(cli: Codex, words: string): Promise<string> {
  const text = await askCodex(cli, words);
  return text.slice(text.lastIndexOf("# Context from my IDE setup"));
}

/** As a user's who trusts the folders, and asks for each edit. */
export async function writeConfig(
  { home }: Sandbox,
  { url }: Model,
  folders: readonly string[],
  { sharesService = false } = {},
): Promise<void> {
  const config = `
model = "gpt-5.2-codex"
model_provider = "scripted"
approval_policy = "on-request"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[features]
daemon_auto_start = ${sharesService}
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 0
stream_max_retries = 0
[analytics]
enabled = false
[feedback]
enabled = false
${folders.map((folder) => `[projects.${JSON.stringify(folder)}]\ntrust_level = "trusted"\n`).join("")}`;
  await mkdir(join(home, ".codex"), { recursive: true, mode: 0o700 });
  await writeFile(join(home, ".codex", "config.toml"), config);
}

/** Whether the text stands in the input, which is the last line with its mark. */
function isTyped(screen: string, text: string): boolean {
  const input = screen.split("\n").findLast((line) => line.trimStart().startsWith("›"));
  return input !== undefined && squeeze(input).includes(squeeze(text));
}
