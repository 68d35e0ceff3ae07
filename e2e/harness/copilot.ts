import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { installInto } from "./installed.ts";
import { type Model, startModel } from "./model.ts";
import { awaitSessions } from "./sessions-of.ts";
import { startTerminal } from "./terminal.ts";
import { createAskingCli } from "./turns.ts";

/** The version that the tests drive. */
export const copilotVersion: string = "1.0.102";

const cache = join(import.meta.dirname, "../../.cache");

/**
 * Installs it where nothing else is. It is not free software: the tests that need it are started by name, and nothing
 * of it is committed.
 * @returns the program
 */
export async function installCopilot(version = copilotVersion): Promise<string> {
  const folder = join(cache, `copilot-cli-${version}`);
  return join(await installInto(folder, "@github/copilot-linux-x64", version), "copilot");
}

export interface CopilotOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Handed to the program. */
  readonly args?: readonly string[];
  /** Starts it in place of its program alone. */
  readonly command?: readonly string[];
}

/** What leads it to the model, and to nothing else. */
export const copilotEnv = (model: Model) => ({
  COPILOT_OFFLINE: "true",
  COPILOT_AUTO_UPDATE: "false",
  COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
  COPILOT_PROVIDER_API_KEY: "fake",
  COPILOT_MODEL: "scripted",
  NO_PROXY: "127.0.0.1",
  // It unpacks itself there once.
  XDG_CACHE_HOME: join(cache, "copilot-cli-unpacked"),
});

/** What the screen says of a change that was rejected. */
export const rejected = /rejected|cancelled/i;

/** The question that its terminal asks while the IDE shows the diff. */
const question = /Do you want to (create|edit)/;

/** A real Copilot CLI. */
export type Copilot = Awaited<ReturnType<typeof startCopilot>>;

export async function startCopilot(sandbox: Sandbox, options: CopilotOptions = {}) {
  const program = await installCopilot();
  const model = await startModel(sandbox);
  const { home, workspace } = sandbox;
  await mkdir(join(home, ".copilot"), { recursive: true });
  const trustedFolders = [workspace, ...(options.cwd === undefined ? [] : [options.cwd])];
  await writeFile(join(home, ".copilot", "config.json"), JSON.stringify({ trustedFolders }));
  const terminal = await startTerminal(sandbox, {
    command: options.command ?? [program, ...(options.args ?? [])],
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: {
      ...copilotEnv(model),
      ...options.env,
    },
  });
  const { cli, propose } = createAskingCli({ terminal, model, prompt: /❯/, question });
  return {
    ...cli,
    /** Lets the model make a new file. */
    proposeCreate: (path: string, file_text: string) =>
      propose({ call: "create", args: { path, file_text } }),
    /** Lets the model replace a piece of a file. */
    proposeEdit: (path: string, old_str: string, new_str: string) =>
      propose({ call: "edit", args: { path, old_str, new_str } }),
  };
}

/** Starts one and waits until it is connected to the sandbox's companion. */
export async function startConnectedCopilot(sandbox: Sandbox, options?: CopilotOptions): Promise<Copilot> {
  const cli = await startCopilot(sandbox, options);
  await awaitCopilots(sandbox);
  return cli;
}

/** Waits until the companion has so many of them: the CLI's screen does not say it. */
export const awaitCopilots = (sandbox: Sandbox, count?: number): Promise<void> =>
  awaitSessions(sandbox, "Copilot CLI", count);
