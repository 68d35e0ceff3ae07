import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "../../scripts/command.mjs";
import { inRepository } from "../../scripts/repository.mjs";
import { installNpmPackages } from "../../scripts/set-up/npm-packages.mjs";

const here = import.meta.dirname;

/** What the tests install. */
export const packageFile = inRepository("dist", "ide-companion.vsix");

/** Builds the extension and puts it into one file. */
export async function packageExtension() {
  const packaging = join(here, "packaging");
  await installNpmPackages(packaging, { options: ["--ignore-scripts"] });
  // As a program: its libraries may have been installed a moment ago.
  await command(process.execPath, [join(here, "build.mjs")], { cwd: here });
  await mkdir(inRepository("dist"), { recursive: true });
  const vsce = join(packaging, "node_modules", "@vscode", "vsce", "vsce");
  const options = ["--no-dependencies", "--out", packageFile];
  await command(process.execPath, [vsce, "package", ...options], { cwd: here, quiet: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await packageExtension();
  console.log(packageFile);
}
