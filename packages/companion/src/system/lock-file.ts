import { linkSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf } from "./error-message.ts";
import { removeFile, temporaryName } from "./private-file.ts";
import { isAlive, parseOwner, thisProcess } from "./record-owner.ts";

/** How long another process may have the lock, in milliseconds. */
const patience = 120_000;

/**
 * Does what processes of this user must not do at the same time.
 * @param file absolute path of the lock; its folder is there
 * @throws Error of the file system, or of another process that does not come to an end
 */
export async function withLock<T>(file: string, act: () => Promise<T>): Promise<T> {
  const since = performance.now();
  while (!tryLock(file)) {
    if (performance.now() - since > patience)
      throw new Error(`another process does the same: it has ${file}`);
    await pause(20);
  }
  try {
    return await act();
  } finally {
    removeFile(file);
  }
}

/** @returns false where another process has the lock. Who has it removes the file @throws Error of the file system */
export function tryLock(file: string): boolean {
  const own = path.join(path.dirname(file), temporaryName(path.basename(file)));
  try {
    writeFileSync(own, JSON.stringify({ owner: thisProcess(), at: Date.now() }), { flag: "wx", mode: 0o600 });
    // Never half of a file, and only where there is none.
    linkSync(own, file);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    if (isLeft(file)) takeAway(file);
    return false;
  } finally {
    removeFile(own);
  }
}

/** Its process was killed. */
function isLeft(file: string): boolean {
  try {
    const { owner, at } = JSON.parse(readFileSync(file, "utf8"));
    return !isAlive(parseOwner(owner), Number(at));
  } catch {
    return false; // gone, or no lock of ours
  }
}

/** One process at a time: to another one that has seen the same, the next owner's lock would be the one to take. */
function takeAway(file: string): void {
  const right = `${file}.takeaway`;
  if (!tryLock(right)) return;
  try {
    if (isLeft(file)) removeFile(file);
  } finally {
    removeFile(right);
  }
}
