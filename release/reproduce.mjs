import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { command } from "../scripts/command.mjs";
import { knownFiles } from "../scripts/known-files.mjs";
import { packageAll } from "../scripts/package.mjs";
import { inRepository, isMain } from "../scripts/repository.mjs";
import { setUpToRun } from "../scripts/setup.mjs";
import { withTemporaryFolder } from "../scripts/temporary.mjs";
import { filesIn, pack } from "./pack.mjs";
import { published } from "./published.mjs";

/** What users run, built by esbuild; the page first, which the executable ships. */
const bundled = ["packages/review-ui", "packages/companion", "packages/vscode"];

/**
 * Builds everything that esbuild builds in a copy of the repository.
 * @param {string} copy
 * @returns {Promise<Map<string, string>>} digest of every built file, by path
 */
export async function digestsOfBundles(copy) {
  for (const folder of bundled) {
    await command(process.execPath, ["build.mjs"], { cwd: join(copy, folder), quiet: true });
  }
  const digests = new Map();
  for (const folder of ["packages/companion", "packages/vscode"]) {
    for (const file of await filesIn(join(copy, folder, "dist"))) {
      digests.set(`${folder}/dist/${file}`, await digestOf(join(copy, folder, "dist", file)));
    }
  }
  return digests;
}

/**
 * A copy of what git knows, with the same installed packages; Linux only.
 * @param {string} folder that does not exist yet
 */
export async function copyRepository(folder) {
  for (const file of await knownFiles()) await cp(inRepository(file), join(folder, file));
  // The second is there once the extension has been packaged.
  for (const packages of ["node_modules", "packages/vscode/packaging/node_modules"]) {
    if (!existsSync(inRepository(packages))) continue;
    await command("cp", ["--archive", "--reflink=auto", inRepository(packages), join(folder, packages)]);
  }
}

/** Two folders of different depth, since a path may find its way into a build. */
export const twoFolders = (root) => [join(root, "one"), join(root, "another", "much", "deeper")];

/** Builds the npm packages twice, from nothing, and compares the archives byte by byte. */
async function main() {
  await setUpToRun();
  await packageAll();
  const [first, second] = await withTemporaryFolder(async (root) => {
    const results = [];
    for (const folder of twoFolders(root)) results.push((await digestsOfArchives(folder)).join("\n"));
    return results;
  });
  console.log(first);
  if (first === second) return;
  console.error(`Not the same when built in another folder:\n${second}`);
  process.exitCode = 1;
}

/** Builds all that is published in a copy of the repository. @returns {Promise<string[]>} `digest  name` of each archive */
async function digestsOfArchives(folder) {
  await copyRepository(folder);
  await digestsOfBundles(folder);
  await command(process.execPath, ["scripts/package.mjs"], { cwd: folder, quiet: true });
  const archives = [];
  for (const { name, folder: library } of published) {
    const compiler = join(folder, "node_modules", "typescript", "bin", "tsc");
    await command(process.execPath, [compiler, "-b", library], { cwd: folder });
    archives.push((await pack(library, join(folder, "packed", name), folder)).tarball);
  }
  archives.push(join(folder, "dist", "ide-companion.vsix"));
  return Promise.all(archives.map(async (file) => `${await digestOf(file)}  ${basename(file)}`));
}

async function digestOf(file) {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

if (isMain(import.meta)) await main();
