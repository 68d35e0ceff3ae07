import { chmod, mkdtemp, realpath, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attempt } from "./command.mjs";

/** Linux' folder in memory. */
const memory = "/dev/shm";

/** Bytes that it has to have free; all tests of a commit hold less than a tenth of them at once. */
const needed = 1024 ** 3;

/**
 * A new private folder for all that the tests write: in memory if this machine has enough of it, since they write
 * files by the ten thousand, else on disk.
 * @param {string} [inMemory]
 * @returns {Promise<string>} its real path
 */
export async function makeTemporaryFolder(inMemory = memory) {
  // Short: sockets of editors lie below it, and have a limit of some 100 characters.
  const makeIn = async (parent) => realpath(await mkdtemp(join(parent, "ide-")));
  if (await hasRoom(inMemory)) {
    const folder = await makeIn(inMemory);
    if (await runsPrograms(folder)) return folder;
    await rm(folder, { recursive: true });
  }
  return makeIn(tmpdir());
}

/**
 * Does something with a new private folder, which is removed afterwards.
 * @template T
 * @param {(folder: string) => Promise<T>} use gets its real path
 * @returns {Promise<T>}
 */
export async function withTemporaryFolder(use) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ide-companion-")));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** None on another system, or on one that keeps it from us. */
const hasRoom = (folder) =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize >= needed,
    () => false,
  );

/** Containers often forbid that. */
async function runsPrograms(folder) {
  const program = join(folder, "program");
  await writeFile(program, "#!/bin/sh\n");
  await chmod(program, 0o700);
  const runs = await attempt(program, []).then(
    ({ code }) => code === 0,
    () => false,
  );
  await rm(program);
  return runs;
}
