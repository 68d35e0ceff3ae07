import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { inRepository } from "../scripts/repository.mjs";
import { published } from "./published.mjs";

/**
 * @param {string} tag `v1.2.3`
 * @returns {Promise<string[]>} what does not fit together, as sentences
 */
export async function versionFaults(tag) {
  const wanted = tag.replace(/^v/, "");
  const faults = [];
  for (const folder of [...published.map((entry) => entry.folder), "packages/vscode"]) {
    const { name, version } = JSON.parse(await readFile(inRepository(folder, "package.json"), "utf8"));
    if (version !== wanted) faults.push(`the tag is ${tag}, and ${name} has version ${version}`);
  }
  return faults;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const faults = await versionFaults(process.argv[2] ?? "");
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
