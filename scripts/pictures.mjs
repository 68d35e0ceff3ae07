import "./node-version.mjs";
import { buildBundles, buildTypes } from "./build.mjs";
import { command } from "./command.mjs";
import { packageAll } from "./package.mjs";
import { inRepository } from "./repository.mjs";
import { newerNode } from "./set-up/newer-node.mjs";
import { setUpToRun } from "./setup.mjs";

/** Writes docs/pictures from the page and the editors as they are now. Words choose: page, animation, terminals, vscode. */
await setUpToRun();
await buildBundles();
await buildTypes();
await packageAll();
// It runs TypeScript as it stands.
const newer = newerNode();
if (newer === undefined) throw new Error("`npm test` installs what pictures need, where that can be done");
const chosen = process.argv.slice(2);
for (const name of ["page", "animation", "terminals", "vscode"]) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  await command(newer.node, [
    inRepository("e2e", "pictures", `${name}.ts`),
    inRepository("docs", "pictures"),
  ]);
}
