import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { command } from "../../scripts/command.mjs";
import { inRepository, isMain } from "../../scripts/repository.mjs";
import { installNpmPackages } from "../../scripts/set-up/npm-packages.mjs";

const here = import.meta.dirname;

/** The package that users and tests install. */
export const packageFile = inRepository("dist", "ide-companion.vsix");

/** The largest size of the package, in bytes. */
const maxBytes = 600_000;

/** The folder of pictures, as the README in the repository names it. */
const picturesFolder = "../../docs/pictures/vscode";

/** The files of the package, besides `dist`, the README and the texts. */
const contents = ["package.json", "l10n", "media", "CHANGELOG.md", "LICENSE", "THIRD-PARTY-NOTICES.md"];
const languages = ["", ".pt-br", ".zh-cn", ".zh-tw"];

/** The https address of `docs/pictures/vscode` of the packed version; undefined except at a release. */
export const picturesUrl = process.env.PICTURES_URL;

/**
 * The README of the package. VS Code and galleries show pictures only from https addresses.
 * @param {string} readme
 * @param {string | undefined} url of the folder of pictures; without one, pictures are removed
 */
export function packedReadme(readme, url) {
  if (!url) return readme.replaceAll(/^ *!\[.*\]\(.*\)\n\n/gm, "");
  return readme.replaceAll(picturesFolder, url.replace(/\/$/, ""));
}

/**
 * Builds the extension and packs it into one file.
 * @throws {Error} when vsce reports an error, or the file is too large
 */
export async function packageExtension() {
  const packaging = join(here, "packaging");
  await installNpmPackages(packaging, { options: ["--ignore-scripts"] });
  // In a new process, which finds libraries that were just installed.
  await command(process.execPath, [join(here, "build.mjs")], { cwd: here });
  const folder = inRepository("dist", "vscode");
  await assemble(folder);
  const vsce = join(packaging, "node_modules", "@vscode", "vsce", "vsce");
  const options = ["--no-dependencies", "--out", packageFile];
  // Fixed dates make the package reproducible. npm uses the same date.
  const env = { ...process.env, SOURCE_DATE_EPOCH: "499162500", TZ: "UTC" };
  await command(process.execPath, [vsce, "package", ...options], { cwd: folder, env, quiet: true });
  const { size } = await stat(packageFile);
  if (size > maxBytes) throw new Error(`${packageFile} must have at most ${maxBytes} bytes, has ${size}`);
}

/** Copies everything that is packed into one folder. */
async function assemble(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const texts = languages.map((language) => `package.nls${language}.json`);
  for (const name of ["dist", ...contents, ...texts])
    await cp(join(here, name), join(folder, name), { recursive: true });
  await rm(join(folder, "media", "icon.svg"));
  const readme = await readFile(join(here, "README.md"), "utf8");
  await writeFile(join(folder, "README.md"), packedReadme(readme, picturesUrl));
}

if (isMain(import.meta)) {
  await packageExtension();
  console.log(packageFile);
}
