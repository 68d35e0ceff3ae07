import { readFile } from "node:fs/promises";
import { inRepository, isMain } from "../scripts/repository.mjs";
import { published } from "./published.mjs";

/**
 * @param {string} tag `v1.2.3`
 * @param {string | undefined} repository where the workflow runs, as in `someone/ide-companion`; undefined elsewhere
 * @returns {Promise<string[]>} what does not fit together, as sentences
 */
export async function versionFaults(tag, repository) {
  const wanted = tag.replace(/^v/, "");
  const faults = [];
  for (const folder of [...published.map((entry) => entry.folder), "packages/vscode"]) {
    const manifest = JSON.parse(await readFile(inRepository(folder, "package.json"), "utf8"));
    const { name, version } = manifest;
    if (version !== wanted) faults.push(`the tag is ${tag}, and ${name} has version ${version}`);
    if (repository !== undefined && !manifest.private && !names(manifest, repository)) {
      faults.push(`${name} must name the repository ${repository}, or npm refuses its provenance`);
    }
  }
  const [, emacs] = /^;; Version: (.*)$/m.exec(
    await readFile(inRepository("editors", "emacs", "ide-companion.el"), "utf8"),
  );
  if (emacs !== wanted) faults.push(`the tag is ${tag}, and the Emacs package has version ${emacs}`);
  return faults;
}

/** Whether a package.json has this repository as its own. */
function names({ repository }, wanted) {
  const url = typeof repository === "string" ? repository : (repository?.url ?? "");
  return new RegExp(`[/:]${wanted.replaceAll(".", "\\.")}(\\.git)?$`).test(url);
}

if (isMain(import.meta)) {
  const faults = await versionFaults(process.argv[2] ?? "", process.env.GITHUB_REPOSITORY);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
