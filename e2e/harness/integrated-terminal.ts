import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { quoteForShell } from "../../packages/companion/src/system/shell-word.ts";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience, poll } from "../../packages/testkit/src/waiting.ts";
import type { Key, Terminal, TerminalOptions } from "./terminal.ts";

/** Keys as the browser names them, where tmux names them otherwise. */
const names: Partial<Record<Key, string>> = { "C-c": "Control+c", "C-d": "Control+d", "C-u": "Control+u" };

/** A window of an editor, as far as its own terminals go. */
export interface TerminalWindow {
  readonly page: Page;
  /** Runs a command from the palette by its whole title. */
  command(title: string): Promise<void>;
  /** Chooses from a list that is open, by a part of a label. */
  choose(label: string): Promise<void>;
  /** The one in which a command of ours has started a CLI. */
  readonly terminal: WindowTerminal;
}

export interface WindowTerminal {
  /** Goes to it once it is there, so that it takes the keys. */
  focus(): Promise<void>;
  /** What it shows, as text. */
  screen(): Promise<string>;
}

/** Folder of the commands that an editor's own terminal finds. */
const binOf = (sandbox: Sandbox): string => join(sandbox.home, "bin");

/** An editor asks a login shell for the PATH of its terminals, or none, whatever it was started with. */
export async function setTerminalPath(sandbox: Sandbox): Promise<void> {
  await writeFile(join(sandbox.home, ".bashrc"), `PATH="${binOf(sandbox)}:$PATH"\n`);
}

/**
 * Starts a CLI as its user does: by the command of ours in the palette, in the editor's own terminal.
 * @param agent name of the CLI's command @param title of ours @param options `folder` is chosen when the editor asks
 */
export function inWindow(
  window: TerminalWindow,
  agent: string,
  title: string,
  { folder }: { folder?: string } = {},
) {
  return async (sandbox: Sandbox, options: TerminalOptions): Promise<Terminal> => {
    await writeCommand(sandbox, agent, options);
    await rm(pidFileOf(sandbox, agent), { force: true });
    await mkdir(join(sandbox.home, ".gemini"), { recursive: true });
    // In a terminal of VS Code, Gemini CLI first offers to change VS Code's keys.
    await writeFile(join(sandbox.home, ".gemini", "state.json"), '{"terminalSetupPromptShown":true}');
    await window.command(`IDE Companion: ${title}`);
    if (folder !== undefined) await window.choose(folder);
    const terminal = sandbox.own(createTerminal(window, pidFileOf(sandbox, agent)));
    await window.terminal.focus();
    return terminal;
  };
}

/** Where a CLI that was started leaves its process id, which nobody outside of the editor could know. */
const pidFileOf = (sandbox: Sandbox, name: string): string => join(sandbox.tmp, `${name}.pid`);

/** A command that starts the CLI with its environment, as an installation would. */
async function writeCommand(
  sandbox: Sandbox,
  name: string,
  { command, env = {} }: TerminalOptions,
): Promise<void> {
  await mkdir(binOf(sandbox), { recursive: true });
  const path = join(binOf(sandbox), name);
  const variables = Object.entries(env).map(([key, value]) => quoteForShell(`${key}=${value}`));
  await writeFile(
    path,
    `#!/bin/sh\necho $$ >${quoteForShell(pidFileOf(sandbox, name))}\nexec env ${[...variables, ...command.map(quoteForShell)].join(" ")} "$@"\n`,
  );
  await chmod(path, 0o755);
}

function createTerminal({ page, terminal: { focus, screen } }: TerminalWindow, pidFile: string): Terminal {
  const watch = (wanted: string | RegExp, present: boolean, within = patience) => {
    const look = async () => {
      const text = await screen();
      const found = typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
      return found === present ? text : undefined;
    };
    return poll(`${present ? "" : "end of "}${wanted} in the terminal`, look, { describe: screen, within });
  };
  const readPid = () => Number(readFileSync(pidFile, "utf8"));
  return {
    get pid() {
      return readPid();
    },
    screen,
    async type(text) {
      await focus();
      await page.keyboard.type(text);
    },
    async press(key) {
      await focus();
      await page.keyboard.press(names[key] ?? key);
    },
    waitFor: (wanted, within) => watch(wanted, true, within),
    waitForNo: (unwanted, within) => watch(unwanted, false, within),
    exited: () => Promise.reject(new Error("an editor's own terminal tells no exit code")),
    describe: async () => `--- terminal of the editor\n${(await screen()).trimEnd()}`,
    async close() {
      // Gemini CLI outlives its terminal.
      if (existsSync(pidFile)) await killTree(readPid());
    },
  };
}
