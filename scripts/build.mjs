import "./node-version.mjs";
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { command } from "./command.mjs";
import { inRepository, isMain } from "./repository.mjs";
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

/** The libraries with their types; checks the types of everything else. Knows itself what has changed. */
export async function buildTypes() {
  const compiler = inRepository("node_modules", "typescript", "bin", "tsc");
  await command(process.execPath, [compiler, "-b"], { cwd: inRepository() });
  for (const folder of ["packages/companion", "packages/conformance"]) await removeOrphans(folder);
}

/** What the compiler has made of sources that are gone since: it would be published. */
async function removeOrphans(folder) {
  for (const path of await readdir(inRepository(folder, "dist"), { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const stem = path.slice(0, -".d.ts".length);
    if (existsSync(inRepository(folder, "src", `${stem}.ts`))) continue;
    for (const suffix of [".d.ts", ".js", ".js.map"]) {
      await rm(inRepository(folder, "dist", stem + suffix), { force: true });
    }
  }
}

if (isMain(import.meta)) {
  await setUpToRun();
  await buildBundles();
  await buildTypes();
}
