import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { type Editor, type EditorKind, inVersion, type OtherVersion, pathWithCommand } from "./editor.ts";
import { plugins, vim as program } from "./installed.ts";
import { startTerminal, type Terminal, typeLine } from "./terminal.ts";

/** Vim with our plugin, and nothing else. */
export const vim: EditorKind = {
  name: "Vim",
  needs: { Vim: program },
  start: startVim,
};

export async function startVim(
  sandbox: Sandbox,
  files: readonly string[],
  other?: OtherVersion,
): Promise<Vim> {
  const { channel, ...start } = await vimCommand(sandbox, ["--", ...files]);
  const terminal = await startTerminal(sandbox, inVersion(start, other));
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
  const command = (text: string) => typeLine(terminal, `:${text}`);
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
    says: async (text) => void (await terminal.waitFor(text)),
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

/** What a test asks of a Vim, other than what its user does; over a channel, since it is built without a server. */
interface VimChannel {
  /** Of its vimrc: what connects it. */
  readonly config: string;
  /** Evaluates an expression of its script. */
  ask(expression: string): Promise<unknown>;
  /** Waits until an expression is true. */
  until(what: string, expression: string, terminal: Terminal): Promise<void>;
}

/** Waits for one Vim to connect. */
async function startVimChannel(sandbox: Sandbox): Promise<VimChannel> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const waiting = new Map<number, (value: unknown) => void>();
  const connected = once(server, "connection").then(([socket]: Socket[]) => {
    if (socket === undefined) throw new Error("no socket");
    readAnswers(socket, waiting);
    return socket;
  });
  let lastId = 0;
  const ask = async (expression: string) => {
    const socket = await connected;
    // Vim's own ids are positive.
    const id = --lastId;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    socket.write(`${JSON.stringify(["expr", expression, id])}\n`);
    return answer;
  };
  sandbox.own({
    async close() {
      connected.then((socket) => socket.destroy()).catch(() => {}); // it never came
      await new Promise((resolve) => server.close(resolve));
    },
  });
  return {
    config: `let g:e2e = ch_open('127.0.0.1:${port}', #{mode: 'json', waittime: 60000})\n`,
    ask,
    until: (what, expression, terminal) =>
      poll(what, async () => ((await ask(expression)) ? true : undefined), {
        describe: terminal.screen,
      }).then(() => {}),
  };
}

/** A text as Vim's script has it. */
export function vimString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function readAnswers(socket: Socket, waiting: Map<number, (value: unknown) => void>): void {
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    const lines = (received + text).split("\n");
    received = lines.pop() ?? "";
    for (const line of lines) {
      const [id, value]: [number, unknown] = JSON.parse(line);
      waiting.get(id)?.(value);
      waiting.delete(id);
    }
  });
  socket.on("error", () => {}); // Vim was killed
}
