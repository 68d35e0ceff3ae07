import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ended, isRunning, processTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { discoveryFiles } from "./discovery-files.ts";
import { type Editor, type EditorKind, inVersion, pathWithCommand } from "./editor.ts";
import { plugins, kakoune as program } from "./installed.ts";
import { codeOn } from "./page.ts";
import { startTerminal, type Terminal, typeLine } from "./terminal.ts";

/** Kakoune with our script, and nothing else. */
export const kakoune: EditorKind<Kakoune> = {
  name: "Kakoune",
  needs: { Kakoune: program },
  async start(sandbox, files, other) {
    const { session, ...start } = await kakouneCommand(sandbox, files);
    const terminal = await startTerminal(sandbox, inVersion(start, other));
    return attachKakoune(sandbox, terminal, session, other?.program);
  },
};

const kakrc = codeOn("kakoune.md", "kak").replace("/path/to/ide-companion/editors", plugins);

export type Kakoune = Awaited<ReturnType<typeof attachKakoune>>;

/** How to start one that can be asked. */
export async function kakouneCommand(sandbox: Sandbox, files: readonly string[]) {
  const folder = join(sandbox.home, ".config", "kak");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "kakrc"), kakrc);
  const session = `e2e-${randomUUID().slice(0, 8)}`;
  const command = [program, "-s", session, "--", ...files];
  return { command, env: { PATH: await pathWithCommand(sandbox) }, session };
}

/** Drives one that runs in a terminal, once its companion does. */
export async function attachKakoune(sandbox: Sandbox, terminal: Terminal, session: string, client = program) {
  const served = (after?: number) => {
    const look = async () => {
      const found = await companionOf(sandbox, terminal.pid);
      return found?.companion === after ? undefined : found;
    };
    return poll("a companion of this Kakoune", look, { describe: terminal.screen });
  };
  const first = await served();
  const companions = new Set([first.companion]);
  const { pid } = first;
  sandbox.own({
    async close() {
      if (await isRunning(pid)) process.kill(pid, "SIGHUP");
      await ended([...companions]);
    },
  });
  return {
    ...createActions(sandbox, terminal, session, client),
    terminal,
    /** Kakoune's own process. */
    pid,
    /** Waits for a companion of it. @param after the process of one that is no more */
    async companion(after?: number) {
      const { companion } = await served(after);
      companions.add(companion);
      return companion;
    },
    kill: () => killBoth(pid, ...companions),
  };
}

const Announced = z.object({ serverPid: z.int() });

/** The Kakoune in a terminal, and the process that serves it, which is none of its children. */
async function companionOf(sandbox: Sandbox, terminal: number) {
  const files = await discoveryFiles(sandbox);
  for (const pid of await processTree(terminal)) {
    const file = files.find((path) => path.includes(`gemini-ide-server-${pid}-`));
    const text = file && (await readFile(file, "utf8").catch(() => "")); // it has just been swept
    if (text) return { pid, companion: Announced.parse(JSON.parse(text)).serverPid };
  }
  return undefined;
}

/** Neither has the time to see the other's end. */
async function killBoth(...pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await ended(pids);
}

function createActions(sandbox: Sandbox, terminal: Terminal, session: string, client: string) {
  const remote = async (commands: string) => {
    const kak = spawn(client, ["-p", session], { env: sandbox.env, stdio: ["pipe", "inherit", "inherit"] });
    kak.stdin.end(commands);
    await once(kak, "close");
  };
  const inClient = (commands: string) => remote(`evaluate-commands -client client0 ${quote(commands)}`);
  /** The value of an expansion in its first client. */
  const value = async (expansion: string) => {
    const file = join(sandbox.tmp, `value-${randomUUID()}`);
    await inClient(`echo -to-file ${file} -- ${expansion} .`);
    const written = async () => / ?\.$/.exec(await readFile(file, "utf8").catch(() => ""))?.input; // not yet
    return (await poll(`value of ${expansion}`, written, { describe: terminal.screen })).replace(/ ?\.$/, "");
  };
  /** Waits until an expansion has this value. */
  const until = async (what: string, expansion: string, wanted: string) => {
    const look = async () => (await value(expansion)) === wanted;
    await poll(what, look, { describe: terminal.screen });
  };
  /** Types a command in its prompt. */
  const command = (text: string) => typeLine(terminal, `:${text}`);
  /** Types text in insert mode. @param enter the keys that lead there */
  const insert = async (enter: string, text: string) => {
    await terminal.type(enter);
    await terminal.waitFor(insertMode);
    await terminal.type(text.replaceAll("\n", "\r"));
    await terminal.press("Escape");
    // Together with what follows it would be another key.
    await terminal.waitForNo(insertMode);
  };
  const actions: Omit<Editor, "terminal" | "kill"> = {
    async open(path) {
      await inClient(`edit -existing ${quote(path)}`);
      await until(path, "%val{buffile}", path);
    },
    async close() {
      const path = await value("%val{buffile}");
      await command("delete-buffer");
      const isGone = async () => (await value("%val{buffile}")) !== path;
      await poll(`end of ${path}`, isGone, { describe: terminal.screen });
    },
    async select(text) {
      await typeLine(terminal, `gg/${text}`);
      await until(`selection of ${text}`, "%val{selection}", text);
      // Kakoune tells it when it has been idle.
      const context = join(await value("%opt{ide_companion_folder}"), "context");
      const isWritten = async () => (await readFile(context, "utf8")).includes(` ${quote(text)} `);
      await poll(`word of ${text}`, isWritten, { describe: terminal.screen });
    },
    async decideWritten(decision, text) {
      await typeLine(terminal, `gg/${text}`);
      await until(`selection of ${text}`, "%val{selection}", text);
      const mark = new RegExp(`[~+] *${text}`);
      await terminal.waitFor(mark);
      await command(`ide-companion-${decision.toLowerCase()}`);
      await terminal.waitForNo(mark);
    },
    saveAll: () => command("write-all"),
    typeUnsaved: (text) => insert("ggA", text),
    shows: async (text) => void (await terminal.waitFor(text)),
    says: async (text) => void (await terminal.waitFor(text)),
    async proposal(name) {
      const look = async () => {
        await command("ide-companion-review");
        const path = await value("%val{buffile}");
        const isWaiting = (await value("%opt{ide_companion_waiting}")).includes(path);
        return isWaiting && path.endsWith(`/${name}`);
      };
      await poll(`proposal for ${name}`, look, { describe: terminal.screen });
      await terminal.waitFor(":w accepts");
      return {
        async replace(before, after) {
          await typeLine(terminal, `%s${before}`);
          await insert("c", after);
        },
        accept: () => command("write"),
        reject: () => command("delete-buffer"),
      };
    },
    nothingWaits: () => until("no proposal", "%opt{ide_companion_waiting}", ""),
  };
  return { ...actions, command, value, until, insert };
}

/** As the last line of the screen tells it. */
const insertMode = / insert \d+ sel/;

export const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
