import { mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { command } from "../scripts/command.mjs";
import { inRepository } from "../scripts/repository.mjs";
import { npm } from "../scripts/set-up/npm-packages.mjs";

/**
 * Packs a package as npm would publish it, and unpacks that again.
 * @param {string} folder of the package, relative to the repository
 * @param {string} into an empty folder
 * @param {string} [repository]
 * @returns {Promise<{ tarball: string, folder: string, files: string[] }>} absolute paths, and those of the files in the package
 */
export async function pack(folder, into, repository = inRepository()) {
  const [program, ...first] = npm();
  await mkdir(into, { recursive: true });
  const options = ["--pack-destination", into, "--ignore-scripts", "--loglevel=error"];
  await command(program, [...first, "pack", ...options], { cwd: join(repository, folder), quiet: true });
  const [tarball] = await readdir(into);
  await command("tar", ["-xzf", tarball], { cwd: into, quiet: true });
  const unpacked = join(into, "package");
  return { tarball: join(into, tarball), folder: unpacked, files: await filesIn(unpacked) };
}

/** @returns {Promise<string[]>} with `/`, relative to the folder, sorted */
export async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}
