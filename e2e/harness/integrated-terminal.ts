import { readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { patience, poll } from "./deadline.ts";
import type { Key, Terminal, TerminalOptions } from "./terminal.ts";
import type { VscodeWindow } from "./vscode-window.ts";
import type { World } from "./world.ts";

/** Keys as the browser names them, where tmux names them otherwise. */
const names: Partial<Record<Key, string>> = { "C-c": "Control+c", "C-d": "Control+d", "C-u": "Control+u" };

/** Folder of the commands that a terminal of VS Code finds. */
export const binOf = (world: World): string => join(world.home, "bin");

/**
 * Starts a CLI as its user does: by the command of ours in the palette, in VS Code's own terminal.
 * @param agent name of the CLI's command @param title of ours @param options `folder` is chosen when VS Code asks
 */
export function inWindow(
  window: VscodeWindow,
  agent: string,
  title: string,
  { folder }: { folder?: string } = {},
) {
  return async (world: World, options: TerminalOptions): Promise<Terminal> => {
    await writeCommand(world, agent, options);
    await mkdir(join(world.home, ".gemini"), { recursive: true });
    // In a terminal of VS Code, Gemini CLI first offers to change VS Code's keys.
    await writeFile(join(world.home, ".gemini", "state.json"), '{"terminalSetupPromptShown":true}');
    await window.command(`IDE Companion: ${title}`);
    if (folder !== undefined) await window.choose(folder);
    const terminal = createTerminal(window, pidFileOf(world, agent));
    await window.page.locator(`${active} .xterm-rows`).waitFor();
    return terminal;
  };
}

const active = ".terminal-wrapper.active";

/** Where a CLI that was started leaves its process id, which nobody outside of VS Code could know. */
const pidFileOf = (world: World, name: string): string => join(world.tmp, `${name}.pid`);

/** A command that starts the CLI with its environment, as an installation would. */
async function writeCommand(
  world: World,
  name: string,
  { command, env = {} }: TerminalOptions,
): Promise<void> {
  await mkdir(binOf(world), { recursive: true });
  const path = join(binOf(world), name);
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const variables = Object.entries(env).map(([key, value]) => quoted(`${key}=${value}`));
  await writeFile(
    path,
    `#!/bin/sh\necho $$ >${quoted(pidFileOf(world, name))}\nexec env ${[...variables, ...command.map(quoted)].join(" ")} "$@"\n`,
  );
  await chmod(path, 0o755);
}

function createTerminal({ page }: VscodeWindow, pidFile: string): Terminal {
  const screen = async () => {
    const rows = await page.locator(`${active} .xterm-rows > div`).allTextContents();
    return rows.map((row) => row.replaceAll("\u00a0", " ").trimEnd()).join("\n");
  };
  const focus = () => page.locator(`${active} textarea.xterm-helper-textarea`).focus();
  const watch = (wanted: string | RegExp, present: boolean, within = patience) => {
    const look = async () => {
      const text = await screen();
      const found = typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
      return found === present ? text : undefined;
    };
    return poll(`${present ? "" : "end of "}${wanted} in the terminal`, look, { describe: screen, within });
  };
  return {
    get pid() {
      return Number(readFileSync(pidFile, "utf8"));
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
    exited: () => Promise.reject(new Error("a terminal of VS Code tells no exit code")),
    async close() {},
  };
}
