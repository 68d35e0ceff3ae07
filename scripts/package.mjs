import "./node-version.mjs";
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { packageExtension, packageFile, picturesUrl } from "../packages/vscode/package.mjs";
import { inRepository, isMain } from "./repository.mjs";
import { setUpToRun } from "./setup.mjs";
import { unlessBuilt } from "./unless-built.mjs";

/** Where `ide-companion install` finds the extension. */
const installable = inRepository("packages", "companion", "dist", "editors", "vscode");

/** What users install, into `dist` and next to the executable; nothing when no input has changed since. */
export async function packageAll() {
  const folders = ["packages/companion", "packages/vscode"];
  const { version } = JSON.parse(await readFile(inRepository("packages", "vscode", "package.json"), "utf8"));
  const copy = join(installable, `ide-companion-${version}.vsix`);
  const parts = { folders, outputs: [packageFile, copy], settings: [picturesUrl] };
  await unlessBuilt("package", parts, async () => {
    console.log("Packaging …");
    await packageExtension();
    await rm(installable, { recursive: true, force: true });
    await mkdir(installable, { recursive: true });
    await cp(packageFile, copy);
  });
}

if (isMain(import.meta)) {
  await setUpToRun();
  await packageAll();
  console.log(packageFile);
}
