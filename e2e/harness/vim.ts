import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { type Editor, type EditorKind, pathWithCommand } from "./editor.ts";
import { plugins, vim as program } from "./installed.ts";
import { startTerminal, type Terminal } from "./terminal.ts";
import { startVimChannel, type VimChannel, vimString } from "./vim-channel.ts";

/** Vim with our plugin, and nothing else. */
export const vim: EditorKind = {
  name: "Vim",
  needs: { Vim: program },
  start: startVim,
};

export async function startVim(sandbox: Sandbox, files: readonly string[]): Promise<Vim> {
  const { command, env, channel } = await vimCommand(sandbox, ["--", ...files]);
  const terminal = await startTerminal(sandbox, { command, env });
  return attachVim(terminal, channel);
}

/** How to start one that can be asked. */
export async function vimCommand(sandbox: Sandbox, args: readonly string[], config = "") {
  const channel = await startVimChannel(sandbox);
  await installPlugin(sandbox);
  // One for each, because two may start in one sandbox.
  const rc = join(sandbox.home, `vimrc-${channel.config.match(/\d{4,}/)?.[0]}`);
  await writeFile(rc, `set nocompatible\nfiletype plugin on\n${channel.config}${config}`);
  const command = [program, "-n", "-i", "NONE", "-u", rc, ...args];
  return { command, env: { PATH: await pathWithCommand(sandbox) }, channel };
}

/** As a package, without any plugin manager. */
async function installPlugin(sandbox: Sandbox): Promise<void> {
  const start = join(sandbox.home, ".vim/pack/ide/start");
  if ((await mkdir(start, { recursive: true })) === undefined) return; // it is there already
  await symlink(join(plugins, "vim"), join(start, "ide-companion"));
}

export interface Vim extends Editor, Pick<VimChannel, "ask"> {
  readonly terminal: Terminal;
  /** Waits until an expression is true. */
  until(what: string, expression: string): Promise<void>;
}

/** Drives one that runs, once its companion does. */
export async function attachVim(terminal: Terminal, channel: VimChannel): Promise<Vim> {
  await channel.until("a port of the companion", "ide_companion#Status().port > 0", terminal);
  const actions = createActions(terminal, channel);
  return {
    ...actions,
    ask: channel.ask,
    until: (what, expression) => channel.until(what, expression, terminal),
    terminal,
    kill: () => killTree(terminal.pid),
  };
}

/** Of the proposal for a file of this name; empty when there is none. */
const windowsOf = (name: string) =>
  `filter(getwininfo(), {_, w -> !empty(getbufvar(w.bufnr, 'ide_companion')) ` +
  `&& bufname(w.bufnr)[-len(${vimString(name)}) - 2:] ==# ': ' .. ${vimString(name)}})`;

function createActions(terminal: Terminal, { ask, until }: VimChannel): Omit<Editor, "terminal" | "kill"> {
  const command = async (text: string) => {
    await terminal.type(`:${text}`);
    await terminal.press("Enter");
  };
  return {
    open: async (path) => void (await ask(`execute('edit ' .. fnameescape(${vimString(path)}))`)),
    close: async () => void (await ask("execute('bdelete')")),
    async select(text) {
      await ask(`cursor(searchpos('\\V' .. escape(${vimString(text)}, '\\'), 'cnw'))`);
      await terminal.type(`v${text.length - 1}l`);
      await until(
        `selection of ${text}`,
        `mode() ==# 'v' && col('.') - col('v') == ${text.length - 1}`,
        terminal,
      );
    },
    async typeUnsaved(text) {
      await terminal.type(`gg0A${text}`);
      await terminal.press("Escape");
      await until("normal mode", "mode() ==# 'n'", terminal);
    },
    shows: (text) => until(text, `stridx(join(getline(1, '$'), "\\n"), ${vimString(text)}) >= 0`, terminal),
    async proposal(name) {
      await until(`proposal for ${name}`, `len(${windowsOf(name)})`, terminal);
      await ask(`win_gotoid(${windowsOf(name)}[0].winid)`);
      await terminal.waitFor("proposes");
      return {
        replace: (before, after) => command(`%s/\\V${before}/${after}/`),
        accept: () => command("w"),
        reject: () => command("q"),
      };
    },
    nothingWaits: () =>
      until("no proposal", "empty(ide_companion#Status().diffs) && tabpagenr('$') == 1", terminal),
  };
}
