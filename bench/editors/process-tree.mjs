import { readFile, realpath } from "node:fs/promises";
import { pause } from "../rounds.mjs";

/** A process and everything that it has started, itself first. Linux only. */
export async function processTree(pid) {
  const pids = [pid];
  for (const parent of pids) {
    const children = await read(`/proc/${parent}/task/${parent}/children`);
    pids.push(...children.split(" ").filter(Boolean).map(Number));
  }
  return pids;
}

/** Microseconds of processor time that those processes of a tree have used which run a certain program. */
export async function processorTime(pid, program) {
  const file = await realpath(program);
  let nanoseconds = 0;
  for (const each of await processTree(pid)) {
    const executable = await realpath(`/proc/${each}/exe`).catch(() => ""); // it has just ended
    if (executable === file) nanoseconds += Number((await read(`/proc/${each}/schedstat`)).split(" ")[0]);
  }
  return nanoseconds / 1000;
}

/** Ends a process and everything that it has started, and waits for it. */
export async function killTree(pid) {
  const pids = await processTree(pid);
  for (const each of pids) {
    try {
      process.kill(each, "SIGKILL");
    } catch {
      // It has just ended.
    }
  }
  for (const each of pids) while (await runs(each)) await pause(5);
}

/** A zombie, which waits for its parent, does not run. */
async function runs(pid) {
  const stat = await read(`/proc/${pid}/stat`);
  return stat !== "" && !/\) [ZX] /.test(stat);
}

async function read(path) {
  try {
    return await readFile(path, "utf8");
  } catch {
    return ""; // no such process any more
  }
}
