import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inRepository } from "./repository.mjs";
import { makeTemporaryFolder } from "./temporary.mjs";

const temporary = await realpath(tmpdir());

/** A folder on disk that stands for the one in memory. */
async function memory() {
  const folder = await mkdtemp(join(temporary, "memory-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("the tests write into memory", async () => {
  const folder = await memory();
  expect(dirname(await makeTemporaryFolder(folder))).toBe(folder);
});

test("where a system has no folder in memory they write to disk", async () => {
  const folder = await makeTemporaryFolder(join(temporary, "not there"));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(dirname(folder)).toBe(temporary);
});

/** Its own mounts. */
const unshare = ["--user", "--map-root-user", "--mount"];
const cannotMount = spawnSync("unshare", [...unshare, "true"]).status !== 0;

test.for([
  ["programs may not run", "noexec,size=2g"],
  ["there is too little room", "size=10m"],
])("where %s in memory they write to disk, and leave nothing in memory", async ([, options], { skip }) => {
  skip(cannotMount, "this system mounts nothing for it");
  const folder = await memory();
  const script = `
    import { readdirSync } from "node:fs";
    import { makeTemporaryFolder } from ${JSON.stringify(inRepository("scripts", "temporary.mjs"))};
    const made = await makeTemporaryFolder(${JSON.stringify(folder)});
    console.log(JSON.stringify([made, readdirSync(${JSON.stringify(folder)})]));`;
  const output = execFileSync("unshare", [
    ...unshare,
    ...["sh", "-c"],
    'mount -t tmpfs -o "$1" tmpfs "$2" && exec "$3" --input-type=module --eval "$4"',
    ...["sh", options, folder, process.execPath, script],
  ]);
  const [made, left] = JSON.parse(output.toString());
  onTestFinished(() => rm(made, { recursive: true }));
  expect([dirname(made), left]).toEqual([temporary, []]);
});
