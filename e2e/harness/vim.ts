import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { closeServer, listen } from "../../packages/testkit/src/listen.ts";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { type Editor, type EditorKind, inVersion, pathWithCommand } from "./editor.ts";
import { plugins, vim as program } from "./installed.ts";
import { startTerminal, type Terminal } from "./terminal.ts";
import { createViActions, createViRemote, type ViRemote } from "./vi.ts";

/** Vim with our plugin, and nothing else. */
export const vim: EditorKind<Vim> = {
  name: "Vim",
  needs: { Vim: program },
  async start(sandbox, files, other) {
    const { channel, ...start } = await vimCommand(sandbox, ["--", ...files]);
    const terminal = await startTerminal(sandbox, inVersion(start, other));
    return attachVim(terminal, channel);
  },
};

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

export type Vim = Editor & ViRemote & { readonly terminal: Terminal };

/** Drives one that runs, once its companion does. */
export async function attachVim(terminal: Terminal, channel: VimChannel): Promise<Vim> {
  const remote = createViRemote(terminal, channel.ask);
  await remote.until("a port of the companion", "ide_companion#Status().port > 0");
  const actions = createViActions(terminal, remote, "ide_companion#Status().diffs");
  return { ...actions, ...remote, terminal, kill: () => killTree(terminal.pid) };
}

type VimChannel = Awaited<ReturnType<typeof startVimChannel>>;

/** Waits for one Vim to connect, which is asked over it, since it is built without a server. */
async function startVimChannel(sandbox: Sandbox) {
  const server = createServer();
  const port = await listen(server);
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
      await closeServer(server);
    },
  });
  return {
    /** Of its vimrc: what connects it. */
    config: `let g:e2e = ch_open('127.0.0.1:${port}', #{mode: 'json', waittime: 60000})\n`,
    ask,
  };
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
