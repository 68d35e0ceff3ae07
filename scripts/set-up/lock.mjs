import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { inRepository } from "../repository.mjs";

/**
 * Does something, unless it is done; one process at a time does it.
 * @param {string} name of what is done, which its lock in the cache has
 * @param {() => boolean | Promise<boolean>} isDone
 * @param {() => Promise<unknown>} work
 */
export async function unlessDone(name, isDone, work) {
  if (await isDone()) return;
  await mkdir(inRepository(".cache"), { recursive: true });
  await withLock(inRepository(".cache", `${name}.lock`), async () => {
    if (!(await isDone())) await work();
  });
}

/**
 * @param {string} what it fails in, the begin of a sentence: `Theia could not be installed`
 * @param {() => Promise<string | undefined | void>} work resolves with why it cannot be done here, if so
 * @returns {Promise<string | undefined>} why it could not be done
 */
export async function reasonAgainst(what, work) {
  try {
    return (await work()) ?? undefined;
  } catch (error) {
    return `${what}: ${error.message.trim()}`;
  }
}

/**
 * Does something while no other process does it. A lock whose owner has died, or that names none, is broken.
 * @template T
 * @param {string} path of the lock file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  let announced = false;
  while (!(await take(path))) {
    if (!announced) console.log(`Waiting for another process, which holds ${path}`);
    announced = true;
    await delay(500);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** @returns whether the lock is ours; it holds our process id from its first moment */
async function take(path) {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    await rm(own, { force: true });
  }
  const owner = await readFile(path, "utf8").catch(() => undefined); // it was given back just now
  if (owner === undefined || isAlive(Number(owner))) return false;
  await rm(path, { force: true });
  return take(path);
}

function isAlive(pid) {
  if (!(pid > 0)) return false; // damaged: its owner was stopped by a full disk, say
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
