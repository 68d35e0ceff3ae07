import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ReadStream } from "node:tty";

/** What the user's keys do. */
export interface KeyActions {
  /** The page; absent where there is none. */
  open?(): void;
  quit(): void;
  /** Ctrl-C, which raw mode delivers as a key. */
  interrupt(): void;
  /** Before the job is stopped by Ctrl-Z. */
  suspend?(): void;
  /** It goes on, with the terminal. */
  resume?(): void;
}

export interface Keys {
  /** Gives the terminal back as it was. */
  close(): void;
}

/** How often a job in the background looks whether it has the terminal again, in milliseconds. */
const lookInterval = 1000;

/**
 * Listens to single keys.
 * @returns undefined where there is nobody to press any: no terminal, or one that another job has
 */
export async function listenToKeys(stdin: ReadStream, actions: KeyActions): Promise<Keys | undefined> {
  // A job in the background is stopped by the system as soon as it touches its terminal.
  if (!stdin.isTTY || !(await isForeground())) return undefined;
  let isOpen = true;
  let looking: NodeJS.Timeout | undefined;
  const listen = (data: Buffer) => {
    for (const key of data.toString("latin1")) press(key, stdin, actions);
  };
  const resume = async () => {
    const hasKeys = await isForeground();
    if (!isOpen) return;
    // By `bg`: the system would stop the job again as soon as it touches the terminal. No signal tells of a later `fg`.
    if (!hasKeys) {
      looking ??= setInterval(resume, lookInterval).unref();
      return;
    }
    clearInterval(looking);
    looking = undefined;
    stdin.setRawMode(true);
    stdin.resume();
    actions.resume?.();
  };
  stdin.setRawMode(true);
  stdin.on("data", listen).resume();
  process.on("SIGCONT", resume);
  return {
    close() {
      isOpen = false;
      clearInterval(looking);
      process.off("SIGCONT", resume);
      stdin.off("data", listen).pause();
      stdin.setRawMode(false);
    },
  };
}

function press(key: string, stdin: ReadStream, actions: KeyActions): void {
  if (key === "o" || key === "O") actions.open?.();
  if (key === "q" || key === "Q" || key === ctrl.d) actions.quit();
  if (key === ctrl.c) actions.interrupt();
  if (key === ctrl.z && process.platform !== "win32") {
    // What a shell expects of its jobs; once the job has the terminal again, it listens again.
    stdin.setRawMode(false);
    stdin.pause();
    actions.suspend?.();
    process.kill(0, "SIGTSTP");
  }
}

const ctrl = { c: "\x03", d: "\x04", z: "\x1a" } as const;

/** Whether this process has its terminal, and is not a job in the background. */
export async function isForeground(): Promise<boolean> {
  if (process.platform === "win32") return true;
  if (process.platform === "linux") return hasTerminal(readFileSync("/proc/self/stat", "utf8"));
  return new Promise((resolve) => {
    execFile("ps", ["-o", "stat=", "-p", String(process.pid)], (error, stdout) =>
      resolve(error === null && stdout.includes("+")),
    );
  });
}

/** Reads `/proc/PID/stat`: after the name in brackets come state, parent, group, session, terminal, its group. */
export function hasTerminal(stat: string): boolean {
  const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group !== undefined && group === terminalGroup;
}
