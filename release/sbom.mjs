import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readBundles } from "../packages/companion/notices.mjs";
import { command } from "../scripts/command.mjs";
import { inRepository, isMain } from "../scripts/repository.mjs";
import { installNpmPackages } from "../scripts/set-up/npm-packages.mjs";
import { setUpToRun } from "../scripts/setup.mjs";
import { withTemporaryFolder } from "../scripts/temporary.mjs";

/** Of the executable and of its page: each has its own way into the package. */
const names = ["ide-companion", "review-page"];

/**
 * Writes bills of materials (CycloneDX 1.6) of what is bundled: the packages of which something is left, by version.
 * @param {string} into a folder
 * @returns {Promise<string[]>} absolute paths
 */
export async function writeBills(into) {
  await installNpmPackages(inRepository("release"), { options: ["--ignore-scripts"], quiet: true });
  await mkdir(into, { recursive: true });
  const tool = inRepository(
    "release",
    "node_modules",
    "@cyclonedx",
    "cyclonedx-esbuild",
    "bin",
    "cyclonedx-esbuild-cli.js",
  );
  return withTemporaryFolder(async (metafiles) => {
    const bills = [];
    for (const [index, { folder, metafile }] of (await readBundles()).entries()) {
      const input = join(metafiles, `${names[index]}.json`);
      const output = join(into, `${names[index]}.cdx.json`);
      await writeFile(input, JSON.stringify(metafile));
      const options = ["--output-reproducible", "--build-working-dir", folder, "--output-file", output];
      await command(process.execPath, [tool, ...options, input], { cwd: folder, quiet: true });
      bills.push(output);
    }
    return bills;
  });
}

if (isMain(import.meta)) {
  await setUpToRun();
  console.log((await writeBills(inRepository("dist", "sbom"))).join("\n"));
}
