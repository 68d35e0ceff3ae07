import { readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Does something while no other process does it. A lock whose owner has died is broken.
 * @template T
 * @param {string} path of the lock file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  let told = false;
  while (!(await take(path))) {
    if (!told) console.log(`Waiting for another process, which holds ${path}`);
    told = true;
    await delay(500);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path) {
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const owner = Number(await readFile(path, "utf8").catch(() => "")); // it was given back just now
  if (owner > 0 && !isAlive(owner)) await rm(path, { force: true });
  return false;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
