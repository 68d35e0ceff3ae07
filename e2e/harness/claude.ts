import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { installInto } from "./installed.ts";
import { type Model, startModel } from "./model.ts";
import { awaitSessions } from "./sessions-of.ts";
import { pressUntil, startTerminal } from "./terminal.ts";
import { createAskingCli } from "./turns.ts";

/** The versions that the tests drive, newest first. */
export const claudeVersions = ["2.1.332", "2.0.77", "1.0.128"] as const;
export const newestClaude = claudeVersions[0];

/** What the screen says of a change that was rejected. */
export const rejected = /rejected|What should Claude do instead|Interrupted/i;

const cache = join(import.meta.dirname, "../../.cache");

/** Up to version 2.0 a script, then a program of the platform. */
const isScript = (version: string) => /^(1|2\.0)\./.test(version);

/**
 * Installs a version where nothing else is. It is not free software: the tests that need it are started by name, and
 * nothing of it is committed.
 * @returns program and arguments that start it
 */
export async function installClaude(version: string): Promise<readonly string[]> {
  const name = `@anthropic-ai/claude-code${isScript(version) ? "" : "-linux-x64"}`;
  const own = await installInto(join(cache, `claude-code-${version}`), name, version);
  return isScript(version) ? [process.execPath, join(own, "cli.js")] : [join(own, "claude")];
}

export interface ClaudeOptions {
  readonly version: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts it in place of its program alone. */
  readonly command?: readonly string[];
  readonly start?: typeof startTerminal;
  /** Its configuration is there already. */
  readonly isConfigured?: boolean;
}

const key = "sk-ant-fake-key-of-a-test-0123456789";

/** What leads it to the model, and to nothing else. */
export const claudeEnv = (model: Model) => ({
  ANTHROPIC_BASE_URL: model.url,
  ANTHROPIC_API_KEY: key,
  DISABLE_TELEMETRY: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
});

/** As a user's who has been through its first start, and asks for each edit. */
export async function writeClaudeConfig(
  { home, workspace }: Sandbox,
  cwd = workspace,
  instead: object = {},
): Promise<void> {
  const trusted = {
    hasTrustDialogAccepted: true,
    hasCompletedProjectOnboarding: true,
    projectOnboardingSeenCount: 9,
    allowedTools: [],
  };
  const config = {
    hasCompletedOnboarding: true,
    lastOnboardingVersion: "9.9.9",
    theme: "dark",
    numStartups: 5,
    autoUpdates: false,
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    diffTool: "auto",
    autoConnectIde: true,
    hasIdeAutoConnectDialogBeenShown: true,
    autoInstallIdeExtension: false,
    projects: { [workspace]: trusted, [cwd]: trusted },
    ...instead,
  };
  await mkdir(join(home, ".claude"), { recursive: true });
  await writeFile(join(home, ".claude.json"), JSON.stringify(config));
}

/** The question that its terminal asks while the IDE shows the diff. */
const question = /Opened changes in|Do you want to/;

/** A real Claude Code. */
export type Claude = Awaited<ReturnType<typeof startClaude>>;

export async function startClaude(sandbox: Sandbox, options: ClaudeOptions) {
  const program = await installClaude(options.version);
  const model = await startModel(sandbox);
  if (!options.isConfigured) await writeClaudeConfig(sandbox, options.cwd);
  const terminal = await (options.start ?? startTerminal)(sandbox, {
    // Version 2.1 starts in a mode that asks for nothing, and shows no diff.
    command: options.command ?? [...program, "--permission-mode", "default"],
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: {
      ...claudeEnv(model),
      ...options.env,
    },
  });
  const { cli, propose } = createAskingCli({ terminal, model, prompt: /^\s*[>❯]/m, question });
  return {
    ...cli,
    /** Lets the model write a new file. */
    proposeWrite: (file_path: string, content: string) =>
      propose({ call: "Write", args: { file_path, content } }),
    /** Lets the model read a file and replace a piece of it. */
    proposeEdit: (file_path: string, old_string: string, new_string: string) =>
      propose(
        { call: "Read", args: { file_path } },
        { call: "Edit", args: { file_path, old_string, new_string } },
      ),
    /** Answers the question with a text for the model; version 2.0 takes one with a rejection, an older one takes none. */
    async answerWith(option: "1. Yes" | "3. No", text: string) {
      await terminal.waitFor(question);
      const isChosen = (screen: string) => screen.includes(`❯ ${option.slice(0, 2)}`);
      if (!isChosen(await terminal.screen())) await pressUntil(terminal, "Up", isChosen);
      // In version 2.0 the text stands in place of the option.
      if (!isScript(options.version)) {
        await terminal.type("\t");
        await terminal.waitFor(new RegExp(`❯ ${option},`));
      }
      await terminal.type(text);
      await terminal.waitFor(text);
      await pressUntil(terminal, "Enter", (screen) => !question.test(screen));
    },
  };
}

/** Starts one and waits until it is connected to the sandbox's companion. */
export async function startConnectedClaude(
  sandbox: Sandbox,
  version: string = newestClaude,
): Promise<Claude> {
  const cli = await startClaude(sandbox, { version });
  await awaitClaudes(sandbox);
  return cli;
}

/** Waits until the companion has so many of them: the CLI's screen does not say it in all versions. */
export const awaitClaudes = (sandbox: Sandbox, count?: number): Promise<void> =>
  awaitSessions(sandbox, "Claude Code", count);
