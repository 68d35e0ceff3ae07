import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { poll } from "./deadline.ts";
import { discoveryFiles } from "./discovery-files.ts";
import { type Editor, type EditorKind, pathWithCommand } from "./editor.ts";
import { plugins, kakoune as program } from "./installed.ts";
import { ended } from "./process-tree.ts";
import { startTerminal, type Terminal } from "./terminal.ts";
import type { World } from "./world.ts";

/** Kakoune with our script, and nothing else. */
export const kakoune: EditorKind = { name: "Kakoune", needs: { Kakoune: program }, start: startKakoune };

/** As docs/editors/kakoune.md has it. */
const kakrc = `
source "${join(plugins, "kakoune", "ide-companion.kak")}"
ide-companion-enable
set-option global autoreload yes
map global user i ':enter-user-mode ide-companion<ret>' -docstring 'ide-companion'
`;

export interface Kakoune extends Editor {
  readonly terminal: Terminal;
  /** Types a command in its prompt. */
  command(text: string): Promise<void>;
  /** The value of an expansion in its first client. */
  value(expansion: string): Promise<string>;
}

export async function startKakoune(world: World, files: readonly string[]): Promise<Kakoune> {
  const folder = join(world.home, ".config", "kak");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "kakrc"), kakrc);
  const session = `e2e-${randomUUID().slice(0, 8)}`;
  const env = { PATH: await pathWithCommand(world) };
  const beside: { pid?: number } = {};
  world.own({ close: () => ended(beside.pid === undefined ? [] : [beside.pid]) });
  const terminal = await startTerminal(world, { command: [program, "-s", session, "--", ...files], env });
  beside.pid = await poll("a companion of this Kakoune", () => companionOf(world, terminal.pid), {
    describe: terminal.screen,
  });
  const actions = createActions(world, terminal, session);
  return { ...actions, terminal, kill: () => killBoth(terminal.pid, beside.pid ?? terminal.pid) };
}

const Announced = z.object({ serverPid: z.int() });

/** The process that serves this Kakoune, which is none of its children. */
async function companionOf(world: World, pid: number): Promise<number | undefined> {
  const files = await discoveryFiles(world);
  const file = files.find((path) => path.includes(`gemini-ide-server-${pid}-`));
  if (file === undefined) return undefined;
  return Announced.parse(JSON.parse(await readFile(file, "utf8"))).serverPid;
}

/** Neither has the time to see the other's end. */
async function killBoth(...pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await ended(pids);
}

function createActions(
  world: World,
  terminal: Terminal,
  session: string,
): Omit<Kakoune, "terminal" | "kill"> {
  const remote = async (commands: string) => {
    const kak = spawn(program, ["-p", session], { env: world.env, stdio: ["pipe", "inherit", "inherit"] });
    kak.stdin.end(commands);
    await once(kak, "close");
  };
  const inClient = (commands: string) => remote(`evaluate-commands -client client0 ${quote(commands)}`);
  const value = async (expansion: string) => {
    const file = join(world.tmp, `value-${randomUUID()}`);
    await inClient(`echo -to-file ${file} -- ${expansion} .`);
    const written = async () => / ?\.$/.exec(await readFile(file, "utf8").catch(() => ""))?.input; // not yet
    return (await poll(`value of ${expansion}`, written, { describe: terminal.screen })).replace(/ ?\.$/, "");
  };
  const until = async (what: string, expansion: string, wanted: string) => {
    const look = async () => ((await value(expansion)) === wanted ? true : undefined);
    await poll(what, look, { describe: terminal.screen });
  };
  const command = async (text: string) => {
    await terminal.type(`:${text}`);
    await terminal.press("Enter");
  };
  /** Types text in insert mode. @param enter the keys that lead there */
  const insert = async (enter: string, text: string) => {
    await terminal.type(enter);
    await terminal.waitFor(insertMode);
    await terminal.type(text);
    await terminal.press("Escape");
    // Together with what follows it would be another key.
    await terminal.waitForNo(insertMode);
  };
  return {
    command,
    value,
    async open(path) {
      await inClient(`edit -existing ${quote(path)}`);
      await until(path, "%val{buffile}", path);
    },
    async close() {
      const path = await value("%val{buffile}");
      await command("delete-buffer");
      const isGone = async () => ((await value("%val{buffile}")) === path ? undefined : true);
      await poll(`end of ${path}`, isGone, { describe: terminal.screen });
    },
    async select(text) {
      await terminal.type(`gg/${text}`);
      await terminal.press("Enter");
      await until(`selection of ${text}`, "%val{selection}", text);
      // Kakoune tells it when it has been idle.
      const context = join(await value("%opt{ide_companion_folder}"), "context");
      const isTold = async () =>
        (await readFile(context, "utf8")).includes(` ${quote(text)} `) ? true : undefined;
      await poll(`word of ${text}`, isTold, { describe: terminal.screen });
    },
    typeUnsaved: (text) => insert("ggA", text),
    shows: async (text) => void (await terminal.waitFor(text)),
    async proposal(name) {
      const look = async () => {
        await command("ide-companion-review");
        const path = await value("%val{buffile}");
        return path.includes("/ide-companion-proposals-") && path.endsWith(`/${name}`) ? true : undefined;
      };
      await poll(`proposal for ${name}`, look, { describe: terminal.screen });
      await terminal.waitFor(":w accepts");
      return {
        async replace(before, after) {
          await terminal.type(`%s${before}`);
          await terminal.press("Enter");
          await insert("c", after);
        },
        accept: () => command("write"),
        reject: () => command("delete-buffer"),
      };
    },
    nothingWaits: () => until("no proposal", "%opt{ide_companion_waiting}", ""),
  };
}

/** As the last line of the screen tells it. */
const insertMode = / insert \d+ sel/;

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;
