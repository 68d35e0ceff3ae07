import { pathToFileURL } from "node:url";
import { command } from "./command.mjs";
import { inRepository } from "./repository.mjs";
import { setUpToRun } from "./setup.mjs";
import { unlessBuilt } from "./unless-built.mjs";

/** Built in this order: the executable ships the page. */
const bundles = ["packages/review-ui", "packages/companion"];

export const executable = inRepository("packages", "companion", "dist", "ide-companion.js");
const page = inRepository("packages", "companion", "dist", "review", "index.html");
const plugins = inRepository("packages", "companion", "dist", "editors", "neovim");

/** The page and the executable, which is all that `npm start` needs; nothing when no input has changed since. */
export async function buildBundles() {
  // The executable brings the editors' plugins.
  const folders = [...bundles, "editors"];
  await unlessBuilt("build", { folders, outputs: [executable, page, plugins] }, async () => {
    console.log("Building …");
    for (const folder of bundles) {
      await command(process.execPath, ["build.mjs"], { cwd: inRepository(folder) });
    }
  });
}

/** The library with its types; checks the types of everything else. Knows itself what has changed. */
export async function buildTypes() {
  const compiler = inRepository("node_modules", "typescript", "bin", "tsc");
  await command(process.execPath, [compiler, "-b"], { cwd: inRepository() });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await setUpToRun();
  await buildBundles();
  await buildTypes();
}
