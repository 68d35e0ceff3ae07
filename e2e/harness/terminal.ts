import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRunning, killTree } from "../../packages/testkit/src/process-tree.ts";
import { run } from "../../packages/testkit/src/run.ts";
import type { Resident, Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { type InsistOptions, insist, patience, poll } from "../../packages/testkit/src/waiting.ts";

/** A key as tmux names it. */
export type Key = "Enter" | "Escape" | "Up" | "Down" | "C-c" | "C-d" | "C-u" | "C-w" | "C-z" | "C-Space";

/** A real terminal in a private tmux server, with one program in it. */
export interface Terminal extends Resident {
  /** Process id of the program. */
  readonly pid: number;
  /** What the user sees now, as plain text. */
  screen(): Promise<string>;
  /** The same with its colours, as SGR escapes; absent where nobody can tell. */
  painted?(): Promise<string>;
  /** The title of its window, which a program sets by an escape sequence; absent where nobody can tell. */
  title?(): Promise<string>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** Waits until the screen shows it; returns the screen. @throws Error that holds the last screen. */
  waitFor(wanted: string | RegExp, within?: number): Promise<string>;
  /** Waits until the screen no longer shows it. */
  waitForNo(unwanted: string | RegExp, within?: number): Promise<string>;
  /** Waits for the program's end. @returns its exit code. */
  exited(within?: number): Promise<number>;
}

export interface TerminalOptions {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly cwd?: string;
  /** Added to the sandbox's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** 140 when absent. */
  readonly columns?: number;
  /** 50 when absent. */
  readonly lines?: number;
}

export async function startTerminal(sandbox: Sandbox, options: TerminalOptions): Promise<Terminal> {
  const { cwd = sandbox.workspace, columns = 140, lines = 50 } = options;
  const tmux = await createTmux(sandbox, options.env ?? {});
  const place = ["-x", String(columns), "-y", String(lines), "-c", cwd];
  const pid = Number(
    await tmux.command("new-session", "-d", "-P", "-F", "#{pane_pid}", ...place, ...options.command),
  );
  const client = tmux.attach();
  const screen = async () => {
    const text = await client.capture();
    if (hasEnded(text) || (await isRunning(pid))) return text;
    // While it puts a terminal on the list of logins, or takes it off, tmux is deaf for the ends of its children
    // (libutempter resets SIGCHLD); the end of another one makes it look again.
    await tmux.command("run-shell", "true");
    return client.capture();
  };
  const watch = (wanted: string | RegExp, present: boolean, within = patience) =>
    poll(
      `${present ? "" : "end of "}${wanted} on the screen of ${options.command.at(-1)}`,
      async () => {
        const text = await screen();
        const found = typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
        if (found === present) return text;
        if (hasEnded(text)) throw new Error(`the program has ended, before ${wanted}:\n${text}`);
        return undefined;
      },
      { describe: screen, within },
    );
  return sandbox.own({
    pid,
    screen,
    painted: () => tmux.command("capture-pane", "-epN"),
    title: () => tmux.command("display", "-p", "#{pane_title}"),
    async type(text) {
      // An argument that ends with a semicolon would separate two commands of tmux.
      await tmux.command("send-keys", "-l", "--", text.replace(/;$/, "\\;"));
    },
    async press(key) {
      await tmux.command("send-keys", key);
    },
    waitFor: (wanted, within) => watch(wanted, true, within),
    waitForNo: (unwanted, within) => watch(unwanted, false, within),
    exited: (within = patience) =>
      poll(
        `end of ${options.command.join(" ")}`,
        async () => {
          // It is dead as soon as its terminal is closed, and its status is known a moment later.
          const how = "#{pane_dead} #{pane_dead_status}#{pane_dead_signal}";
          const [dead, status] = (await tmux.command("display", "-p", how)).split(" ");
          if (dead === "1" && status) return Number(status);
          await screen(); // tmux looks again
          return undefined;
        },
        { describe: screen, within },
      ),
    describe: async () => `--- screen of ${options.command.join(" ")}\n${(await screen()).trimEnd()}`,
    async close() {
      // Gemini CLI outlives its terminal, so nobody waits for what would end later.
      await killTree(pid);
      await tmux.command("kill-server");
      await client.ended;
    },
  });
}

/** Whether the screen is that of a program that has ended. */
export const hasEnded = (screen: string): boolean => /^Pane is dead/m.test(screen);

/** Types a line, and Enter right after it. */
export async function typeLine(terminal: Terminal, line: string): Promise<void> {
  await terminal.type(line);
  await terminal.press("Enter");
}

/** Types text, and Enter only once it stands in the input line. */
export async function typeIn(terminal: Terminal, text: string): Promise<void> {
  const holds = (screen: string) => squeeze(screen).includes(squeeze(text));
  await insistOn(terminal, `${text} typed`, () => terminal.type(text), holds);
  const before = await terminal.screen();
  await pressUntil(terminal, "Enter", (screen) => screen !== before);
}

/** Without blanks: a line is wrapped anywhere. */
export const squeeze = (text: string): string => text.replaceAll(/\s/g, "");

/** Presses a key until it has had its effect. */
export const pressUntil = (terminal: Terminal, pressed: Key, isDone: (screen: string) => boolean) =>
  insistOn(terminal, `effect of ${pressed}`, () => terminal.press(pressed), isDone, { again: 3000 });

/** Does something until the screen shows its effect. */
export const insistOn = (
  { screen }: Terminal,
  effect: string,
  act: () => Promise<void>,
  isDone: (screen: string) => boolean,
  options: InsistOptions = {},
): Promise<void> => insist(effect, act, async () => isDone(await screen()), { ...options, describe: screen });

/** A private tmux server, which is not started yet. */
async function createTmux(sandbox: Sandbox, extra: Readonly<Record<string, string>>) {
  const socket = join(sandbox.tmp, `t-${randomUUID().slice(0, 8)}`);
  const config = `${socket}.conf`;
  // The dead program's last words and exit code stay to be read.
  await writeFile(config, "set -g remain-on-exit on\nset -g default-terminal tmux-256color\n");
  const env = { ...sandbox.env, ...extra };
  const first = ["-S", socket, "-f", config];
  return {
    /** Runs a command of it, in another process. @returns what it prints */
    async command(...words: string[]) {
      const { stdout } = await run("tmux", [...first, ...words], { env });
      return stdout.replace(/\n$/, "");
    },
    /** Attaches a client without a size, which stays: a process for each look costs more than all that is looked at. */
    attach: () => startClient([...first, "-C", "attach", "-f", "ignore-size,no-output"], env),
  };
}

interface Asked {
  resolve(text: string): void;
  reject(error: Error): void;
}

/** @param words that make tmux a client in control mode */
function startClient(words: readonly string[], env: Readonly<Record<string, string>>) {
  const client = spawn("tmux", words, { env, stdio: ["pipe", "pipe", "inherit"] });
  const asked: Asked[] = [];
  let received = "";
  client.stdout.setEncoding("utf8").on("data", (text: string) => {
    received += text;
    for (let block = findBlock(received); block; block = findBlock(received)) {
      received = received.slice(block.end);
      const next = asked.shift();
      if (block.isGood) next?.resolve(block.text);
      else next?.reject(new Error(block.text));
    }
  });
  client.stdin.on("error", () => {}); // the server has ended, which "close" reports
  let isOver = false;
  const ended = once(client, "close").finally(() => {
    isOver = true;
    for (const { reject } of asked.splice(0)) reject(new Error("tmux has ended"));
  });
  return {
    /** Resolves when the server has ended. */
    ended,
    /** What the pane shows now, as plain text. */
    capture: () =>
      new Promise<string>((resolve, reject) => {
        if (isOver) return reject(new Error("tmux has ended"));
        asked.push({ resolve, reject });
        client.stdin.write("capture-pane -p\n");
      }),
  };
}

/** The first whole answer to a command of this client; the last of the three numbers says whose it is. */
function findBlock(received: string) {
  const found = /^%begin (\d+ \d+ 1)\n(?:([\s\S]*?)\n)??%(end|error) \1\n/m.exec(received);
  if (!found) return undefined;
  const [all, , text = "", kind] = found;
  return { text, isGood: kind === "end", end: found.index + all.length };
}
