import { existsSync, readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience, poll } from "../../packages/testkit/src/waiting.ts";
import { programInPath } from "./path-to.ts";
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

/** An editor asks a login shell for the PATH of its terminals, or none, whatever it was started with. */
export async function setTerminalPath(sandbox: Sandbox): Promise<void> {
  await writeFile(join(sandbox.home, ".bashrc"), `PATH="${join(sandbox.home, "bin")}:$PATH"\n`);
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
    const pidFile = join(sandbox.tmp, `${agent}.pid`);
    await rm(pidFile, { force: true });
    const { command, env = {} } = options;
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    // Nobody outside of the editor could know its process id.
    const note = ["sh", "-c", `echo $$ >${pidFile}; exec "$@"`, "sh"];
    await programInPath(sandbox, agent, [...note, "env", ...variables, ...command]);
    await mkdir(join(sandbox.home, ".gemini"), { recursive: true });
    // In a terminal of VS Code, Gemini CLI first offers to change VS Code's keys.
    await writeFile(join(sandbox.home, ".gemini", "state.json"), '{"terminalSetupPromptShown":true}');
    await window.command(`IDE Companion: ${title}`);
    if (folder !== undefined) await window.choose(folder);
    const terminal = sandbox.own(createTerminal(window, pidFile));
    await window.terminal.focus();
    return terminal;
  };
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
