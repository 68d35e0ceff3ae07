import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { executable } from "../packages/testkit/src/companion-process.ts";
import { killTree, processTree } from "../packages/testkit/src/process-tree.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { findLeftovers } from "../scripts/leftovers.mjs";

const script = join(import.meta.dirname, "../scripts/test.mjs");

test.runIf(process.platform === "linux").each([
  ["sequences", "SIGINT"],
  ["wire", "SIGTERM"],
] as const)("%s that is ended by %s leaves no process and no folder", async (part, signal) => {
  const child = spawn(process.execPath, [script, "--torture", part], { stdio: ["ignore", "ignore", "pipe"] });
  const { pid = 0 } = child;
  onTestFinished(() => killTree(pid));
  const complaints = text(child.stderr);
  const ended = once(child, "exit");
  const folder = await poll("a companion", () => folderOfCompanion(pid));
  child.kill(signal);
  expect(await ended).toEqual([1, null]);
  expect(await complaints).toBe(`The tests were ended by ${signal}\n`);
  expect(await findLeftovers(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

/** What a run writes, by its first companion's TMPDIR. @param pid of the run */
async function folderOfCompanion(pid: number): Promise<string | undefined> {
  for (const each of await processTree(pid)) {
    const [command, environment] = await Promise.all(
      ["cmdline", "environ"].map((name) => readFile(`/proc/${each}/${name}`, "utf8").catch(() => "")), // it has ended
    );
    if (command?.includes(executable)) return /TMPDIR=(.+?\/ide-\w+)\/t\//.exec(environment ?? "")?.[1];
  }
  return undefined;
}
