import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/** How long what was killed at the end of the last test may take to be gone, in milliseconds. */
const lastBreath = 10_000;

/**
 * Processes that were started with this TMPDIR and still run, found by their environment; Linux only,
 * elsewhere none are found.
 * @param {string} tmp
 * @returns {Promise<{ pid: number, command: string }[]>}
 */
export async function findLeftovers(tmp) {
  const found = [];
  // It has ended, or is another user's.
  const read = (path) => readFile(path, "utf8").catch(() => "");
  for (const name of await readdir("/proc").catch(() => [])) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const environment = await read(`/proc/${pid}/environ`);
    // Every private TMPDIR of a test lies inside.
    if (!environment.split("\0").some((entry) => entry.startsWith(`TMPDIR=${tmp}`))) continue;
    const command = (await read(`/proc/${pid}/cmdline`)).replaceAll("\0", " ").trim();
    if (command !== "") found.push({ pid, command }); // a zombie has none
  }
  return found;
}

/**
 * Those of them that do not end by themselves.
 * @param {string} tmp
 * @param {(pid: number) => void} [end] is called with each of them, until none is left
 * @returns {Promise<{ pid: number, command: string }[]>}
 */
export async function findLastingLeftovers(tmp, end = () => {}) {
  const deadline = Date.now() + lastBreath;
  for (;;) {
    const found = await findLeftovers(tmp);
    if (found.length === 0 || Date.now() >= deadline) return found;
    for (const { pid } of found) end(pid);
    await delay(100);
  }
}
