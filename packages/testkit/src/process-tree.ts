import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { poll } from "./waiting.ts";

/** A process and everything it started, itself first. Linux only, as these tests are. */
export async function processTree(pid: number): Promise<number[]> {
  const pids = [pid];
  for (const parent of pids) pids.push(...(await childrenOf(parent)));
  return pids;
}

/** Ends a process and everything it started, without giving it a chance to tidy up. */
export async function killTree(pid: number): Promise<void> {
  // The youngest first: a companion that saw its editor end would tidy up before its own turn comes.
  const pids = (await processTree(pid)).reverse();
  for (const each of pids) signal(each, "SIGKILL");
  await gone(pids);
}

/**
 * Stops what a program does: everything it has started, or itself when that is nothing. A terminal that watches over
 * its program, as tmux does, lets the whole group go on as soon as that one stands, so it is stopped again and again.
 */
export async function standStill(pid: number): Promise<void> {
  await poll(`standstill of process ${pid}`, async () => {
    const tree = await processTree(pid);
    const pids = tree.length > 1 ? tree.slice(1) : tree;
    for (const each of pids) signal(each, "SIGSTOP");
    const stats = await Promise.all(pids.map(statOf));
    return stats.every(([state]) => state === "T");
  });
}

/** Waits until these processes are no more, and ends them for good when they stay. */
export async function ended(pids: readonly number[]): Promise<void> {
  try {
    await gone(pids);
  } catch {
    // They had their time.
    for (const pid of pids) signal(pid, "SIGKILL");
    await gone(pids);
  }
}

/** Ends a program as its user would, and waits until all that it has started has ended as well. */
export async function endTree(child: ChildProcess): Promise<void> {
  const pids = child.pid === undefined ? [] : await processTree(child.pid);
  child.kill();
  await ended(pids);
}

/** Whether a process runs; one of which all threads have ended, and whose parent has only to look, does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const [state, ...numbers] = await statOf(pid);
  // While any thread is on its way out, files and ports are still held.
  return state !== undefined && (state !== "Z" || Number(numbers[threads]) > 1);
}

/** What `/proc/PID/stat` says behind the name, beginning with the state; empty when there is no such process. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readOrEmpty(`/proc/${pid}/stat`);
  // The name may hold anything.
  return stat === "" ? [] : stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Where in the line of `/proc/PID/stat` the number of threads stands, behind the state. */
const threads = 16;

async function gone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    await poll(`end of process ${pid}`, async () => !(await isRunning(pid)), {
      within: 20_000,
      every: 20,
    });
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readOrEmpty(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter(Boolean).map(Number);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}

async function readOrEmpty(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    // No such process any more.
    return "";
  }
}
