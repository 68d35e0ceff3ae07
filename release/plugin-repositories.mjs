import { copyFile, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inRepository, isMain } from "../scripts/repository.mjs";
import { homePageOf } from "./home-page.mjs";

/** The suffix of each repository's name, by the plugin's folder in `editors`. */
const suffixes = { neovim: "nvim", vim: "vim", emacs: "el" };

/**
 * Writes what the repositories of the plugins hold: the plugin in the root, as plugin managers expect it, with a
 * README and the licence; and the recipe that MELPA asks for. Needs the built command, which has the plugins.
 * @param {string} into a folder
 * @param {string} repository ours, as in `someone/ide-companion`; the plugins' are named after it
 * @returns {Promise<Record<"neovim" | "vim" | "emacs" | "recipe", string>>} absolute paths
 */
export async function writePluginRepositories(into, repository) {
  const home = homePageOf(repository);
  await rm(into, { recursive: true, force: true });
  const built = inRepository("packages", "companion", "dist", "editors");
  const paths = {};
  for (const [editor, suffix] of Object.entries(suffixes)) {
    const folder = join(into, `ide-companion.${suffix}`);
    await writeRepository(folder, join(built, editor), { editor, home });
    paths[editor] = folder;
  }
  await addHomePage(join(paths.emacs, "ide-companion.el"), home);
  paths.recipe = join(into, "melpa", "ide-companion");
  await mkdir(join(into, "melpa"));
  await writeFile(paths.recipe, `(ide-companion :fetcher github :repo "${repository}.${suffixes.emacs}")\n`);
  return paths;
}

async function writeRepository(folder, plugin, { editor, home }) {
  await cp(plugin, folder, { recursive: true });
  // Plugin managers write it, and git would call it a change.
  await rm(join(folder, "doc", "tags"), { force: true });
  await copyFile(inRepository("LICENSE"), join(folder, "LICENSE"));
  const readme = await readFile(inRepository("editors", editor, "README.md"), "utf8");
  await writeFile(join(folder, "README.md"), rootReadme(readme, { editor, home }));
}

/** The README of a plugin, without the commands for a clone of our repository. */
function rootReadme(readme, { editor, home }) {
  const [what] = readme.split(/^(?:```| {4})/m);
  return `${what}
Install this repository with your plugin manager, and the command with

    npm install --global ide-companion

[The documentation](${home}/blob/main/docs/editors/${editor}.md) has more, with pictures. This repository
is generated from \`editors/${editor}\` of [ide-companion](${home}): report problems and send changes there.
`;
}

/** package-lint asks for one, which our repository can name only once it has an address. */
async function addHomePage(file, url) {
  const text = await readFile(file, "utf8");
  const fresh = text.replace(/^;; Version: .*$/m, (line) => `${line}\n;; URL: ${url}`);
  if (fresh === text) throw new Error(`${file} has no version`);
  await writeFile(file, fresh);
}

if (isMain(import.meta)) {
  const paths = await writePluginRepositories(inRepository("dist", "plugins"), process.argv[2] ?? "");
  console.log(Object.values(paths).join("\n"));
}
