import { cp, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "../../scripts/command.mjs";
import { inRepository } from "../../scripts/repository.mjs";
import { installNpmPackages } from "../../scripts/set-up/npm-packages.mjs";

const here = import.meta.dirname;

/** What the tests install. */
export const packageFile = inRepository("dist", "ide-companion.vsix");

/** Bytes that it may have. */
const mostBytes = 600_000;

/** As the README in the repository names them. */
const picturesHere = "../../docs/pictures/vscode";

/** What users get, beside what is built and the README. */
const contents = ["package.json", "l10n", "media", "CHANGELOG.md", "LICENSE", "THIRD-PARTY-NOTICES.md"];
const languages = ["", ".pt-br", ".zh-cn", ".zh-tw"];

/** The https address at which `docs/pictures/vscode` of the version that is packed is published; none but at a release. */
export const picturesUrl = process.env.PICTURES_URL;

/**
 * The README as it is packed: VS Code and galleries show pictures of an https address alone.
 * @param {string} readme
 * @param {string | undefined} url of the folder of pictures; without one, it has none
 */
export function packedReadme(readme, url) {
  if (!url) return readme.replaceAll(/^ *!\[.*\]\(.*\)\n\n/gm, "");
  return readme.replaceAll(picturesHere, url.replace(/\/$/, ""));
}

/**
 * Builds the extension and puts it into one file.
 * @throws {Error} when vsce finds a fault, or the file has become too large
 */
export async function packageExtension() {
  const packaging = join(here, "packaging");
  await installNpmPackages(packaging, { options: ["--ignore-scripts"] });
  // As a program: its libraries may have been installed a moment ago.
  await command(process.execPath, [join(here, "build.mjs")], { cwd: here });
  const folder = inRepository("dist", "vscode");
  await fixture(folder);
  const vsce = join(packaging, "node_modules", "@vscode", "vsce", "vsce");
  const options = ["--no-dependencies", "--out", packageFile];
  // The same bytes whenever and wherever it is packed: the date is the one that npm gives to files.
  const env = { ...process.env, SOURCE_DATE_EPOCH: "499162500", TZ: "UTC" };
  await command(process.execPath, [vsce, "package", ...options], { cwd: folder, env, quiet: true });
  const { size } = await stat(packageFile);
  if (size > mostBytes) throw new Error(`${packageFile} may have ${mostBytes} bytes, and has ${size}`);
}

/** Puts together what is packed. */
async function fixture(folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const texts = languages.map((language) => `package.nls${language}.json`);
  for (const name of ["dist", ...contents, ...texts])
    await cp(join(here, name), join(folder, name), { recursive: true });
  await rm(join(folder, "media", "icon.svg"));
  const readme = await readFile(join(here, "README.md"), "utf8");
  await writeFile(join(folder, "README.md"), packedReadme(readme, picturesUrl));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await packageExtension();
  console.log(packageFile);
}
