import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";

const run = promisify(execFile);

/** A private tmux server. */
export interface Tmux {
  /** Runs a command of it, in another process. @returns what it prints */
  command(...words: string[]): Promise<string>;
  /** Attaches a client without a size, which stays: a process for each look costs more than all that is looked at. */
  attach(): TmuxClient;
}

export interface TmuxClient {
  /** What the pane shows now, as plain text. */
  capture(): Promise<string>;
  /** Resolves when the server has ended. */
  readonly ended: Promise<unknown>;
}

/** Starts nothing yet. */
export async function createTmux(sandbox: Sandbox, extra: Readonly<Record<string, string>>): Promise<Tmux> {
  const socket = join(sandbox.tmp, `t-${randomUUID().slice(0, 8)}`);
  const config = `${socket}.conf`;
  // The dead program's last words and exit code stay to be read.
  await writeFile(config, "set -g remain-on-exit on\nset -g default-terminal tmux-256color\n");
  const env = { ...sandbox.env, ...extra };
  const first = ["-S", socket, "-f", config];
  return {
    async command(...words) {
      const { stdout } = await run("tmux", [...first, ...words], { env });
      return stdout.replace(/\n$/, "");
    },
    attach: () => startClient([...first, "-C", "attach", "-f", "ignore-size,no-output"], env),
  };
}

interface Asked {
  resolve(text: string): void;
  reject(error: Error): void;
}

/** @param words that make tmux a client in control mode */
function startClient(words: readonly string[], env: Readonly<Record<string, string>>): TmuxClient {
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
    ended,
    capture: () =>
      new Promise((resolve, reject) => {
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
