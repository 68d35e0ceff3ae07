import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inRepository } from "./repository.mjs";
import { withLock } from "./set-up/lock.mjs";

/**
 * Builds something, unless it stands there and no input has changed since.
 * @param {string} name of what is built; one process at a time builds it
 * @param {{ folders: readonly string[], outputs: readonly string[], settings?: readonly (string | undefined)[] }} parts
 *   `folders` relative to the repository; `settings` that go into the build as well
 * @param {() => Promise<void>} build
 */
export async function unlessBuilt(name, { folders, outputs, settings = [] }, build) {
  const cache = inRepository(".cache");
  await mkdir(cache, { recursive: true });
  await withLock(join(cache, `${name}.lock`), async () => {
    const stamp = join(cache, `${name}.stamp`);
    const inputs = await fingerprint(folders, settings);
    if (outputs.every((path) => existsSync(path)) && (await readOrEmpty(stamp)) === inputs) return;
    await build();
    await writeFile(stamp, inputs);
  });
}

/** Changes with every byte that goes into the build. */
async function fingerprint(folders, settings) {
  const hash = createHash("sha256").update(process.version).update(JSON.stringify(settings));
  for (const file of await inputFiles(folders)) hash.update(file).update(await readFile(file));
  return hash.digest("hex");
}

async function inputFiles(folders) {
  const files = ["package-lock.json", "tsconfig.base.json", "tsconfig.json"].map((name) =>
    inRepository(name),
  );
  for (const folder of folders) {
    const entries = await readdir(inRepository(folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && !isOutput(path)) files.push(path);
    }
  }
  return files.sort();
}

function isOutput(path) {
  return /[\\/](dist|node_modules)[\\/]|\.tsbuildinfo$/.test(path);
}

async function readOrEmpty(path) {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}
