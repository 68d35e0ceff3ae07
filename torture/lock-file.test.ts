import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const url = (...names: string[]) => pathToFileURL(join(import.meta.dirname, ...names)).href;

/** Takes the lock again and again. Every other time it leaves it as a process does that is killed. */
const program = `
  import { unlinkSync, writeFileSync, renameSync } from "node:fs";
  import { withLock } from "${url("..", "packages", "companion", "src", "system", "lock-file.ts")}";
  import { thisProcess } from "${url("..", "packages", "companion", "src", "system", "record-owner.ts")}";
  const [, lock] = process.argv;
  const dead = JSON.stringify({ owner: { ...thisProcess(), start: "another" }, at: 0 });
  const inside = lock + ".inside";
  for (let round = 0; round < 100; round += 1) {
    await new Promise((done, fail) => {
      withLock(lock, async () => {
        writeFileSync(inside, "", { flag: "wx" });
        await new Promise(setImmediate);
        unlinkSync(inside);
        if (round % 2 === 0) return;
        writeFileSync(lock + process.pid, dead);
        renameSync(lock + process.pid, lock);
        done();
        await new Promise(() => {});
      }).then(done, fail);
    });
  }`;

test("a lock that killed processes have left goes to one of those that wait", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ide-companion-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const lock = join(folder, "lock");
  const args = ["--import", url("typescript.mjs"), "--input-type=module", "--eval", program, lock];
  const run = () => promisify(execFile)(process.execPath, args);
  expect(await Promise.all([run(), run(), run()])).toEqual(Array(3).fill({ stdout: "", stderr: "" }));
  expect(readdirSync(folder).filter((name) => name !== "lock")).toEqual([]);
});
