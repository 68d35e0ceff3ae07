import { readFile } from "node:fs/promises";
import { buildBundles, buildTypes } from "./build.mjs";
import { command } from "./command.mjs";
import { generate } from "./generate.mjs";
import { knownFiles } from "./known-files.mjs";
import { inRepository, repository } from "./repository.mjs";
import { unexpectedWords } from "./words.mjs";

/**
 * Builds, and checks all that can be checked without running it.
 * @throws {Error} at the first thing that is wrong
 */
export async function check() {
  await buildBundles();
  await buildTypes();
  const generated = await readGenerated();
  await generate();
  const stale = await changedSince(generated);
  if (stale.length > 0)
    throw new Error(`generated files were not up to date and have been written again: ${stale.join(", ")}`);
  const biome = inRepository("node_modules", "@biomejs", "biome", "bin", "biome");
  await command(process.execPath, [biome, "check", "."], { cwd: repository });
  // It imports what set-up installs.
  const { lonelySources, longFunctions } = await import("./grain.mjs");
  const lonely = await lonelySources();
  if (lonely.length > 0) throw new Error(`files to fold into their importers:\n${lonely.join("\n")}`);
  const long = await longFunctions();
  if (long.length > 0) throw new Error(`functions that are too long:\n${long.join("\n")}`);
  const words = await unexpectedWords();
  if (words.length > 0) throw new Error(`words that readers do not expect:\n${words.join("\n")}`);
}

/** What is generated, or holds tables that are, under the name that people look for. */
const withoutSuffix = [
  "docs/reference/contract.md",
  "packages/*/THIRD-PARTY-NOTICES.md",
  "packages/vscode/package.json",
  "packages/vscode/package.nls*.json",
];

/** Every file that is generated, or holds what is, with its content. */
async function readGenerated() {
  const paths = await knownFiles("*.gen.*", ...withoutSuffix);
  const read = async (path) => [path, await readFile(inRepository(path), "utf8")];
  return new Map(await Promise.all(paths.map(read)));
}

/** Those whose content is another now. */
async function changedSince(before) {
  const after = await readGenerated();
  return [...after.keys()].filter((path) => before.get(path) !== after.get(path));
}
