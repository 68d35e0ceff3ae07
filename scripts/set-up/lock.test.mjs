import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../packages/testkit/src/private-folder.ts";
import { withLock } from "./lock.mjs";

test.each(["", "no number", "-1"])("a lock file that holds %j is broken, not waited for", async (content) => {
  const lock = join(privateFolder(), "a.lock");
  await writeFile(lock, content);
  expect(await withLock(lock, async () => "done")).toBe("done");
});

test("a lock whose owner has died is broken", async () => {
  const lock = join(privateFolder(), "a.lock");
  const owner = spawn(process.execPath, ["--eval", ""]);
  await once(owner, "exit");
  await writeFile(lock, String(owner.pid));
  expect(await withLock(lock, async () => "done")).toBe("done");
});

test("one at a time does the work, and nothing is left", async () => {
  const folder = privateFolder();
  const lock = join(folder, "a.lock");
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await readdir(folder);
    inside -= 1;
  };
  await Promise.all([withLock(lock, work), withLock(lock, work)]);
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});
