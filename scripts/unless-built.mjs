import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inRepository } from "./repository.mjs";
import { unlessDone } from "./set-up/lock.mjs";

/**
 * Builds something, unless it stands there and no input has changed since.
 * @param {string} name of what is built; one process at a time builds it
 * @param {{ folders: readonly string[], outputs: readonly string[], settings?: readonly (string | undefined)[] }} parts
 *   `folders` relative to the repository; `settings` that go into the build as well
 * @param {() => Promise<void>} build
 */
export async function unlessBuilt(name, { folders, outputs, settings = [] }, build) {
  const stamp = inRepository(".cache", `${name}.stamp`);
  const inputs = await fingerprint(folders, settings);
  const isBuilt = () => [stamp, ...outputs].every(existsSync) && readFileSync(stamp, "utf8") === inputs;
  await unlessDone(name, isBuilt, async () => {
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
