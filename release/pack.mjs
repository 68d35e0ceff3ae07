import { mkdir, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { command } from "../scripts/command.mjs";
import { inRepository } from "../scripts/repository.mjs";
import { runNpm } from "../scripts/set-up/npm-packages.mjs";

/**
 * Packs a package as npm would publish it, and unpacks that again.
 * @param {string} folder of the package, relative to the repository
 * @param {string} into an empty folder
 * @param {string} [repository]
 * @returns {Promise<{ tarball: string, folder: string, files: string[] }>} absolute paths, and those of the files in the package
 */
export async function pack(folder, into, repository = inRepository()) {
  await mkdir(into, { recursive: true });
  const args = ["pack", "--pack-destination", into, "--ignore-scripts"];
  await runNpm(args, { cwd: join(repository, folder), quiet: true });
  const [tarball] = await readdir(into);
  await command("tar", ["-xzf", tarball], { cwd: into, quiet: true });
  const unpacked = join(into, "package");
  return { tarball: join(into, tarball), folder: unpacked, files: await filesIn(unpacked) };
}

/**
 * The names in a zip archive, by its directory.
 * @param {Buffer} archive that has no comment at its end
 * @returns {string[]}
 */
export function namesInZip(archive) {
  const names = [];
  let at = archive.readUInt32LE(archive.length - 6);
  while (archive.readUInt32LE(at) === 0x02014b50) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    names.push(archive.toString("utf8", at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}

/** @returns {Promise<string[]>} with `/`, relative to the folder, sorted */
export async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}
