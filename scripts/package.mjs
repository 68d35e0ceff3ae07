import { pathToFileURL } from "node:url";
import { packageExtension, packageFile } from "../packages/vscode/package.mjs";
import { setUpToRun } from "./setup.mjs";
import { unlessBuilt } from "./unless-built.mjs";

/** What users install, into `dist`; nothing when no input has changed since. */
export async function packageAll() {
  const folders = ["packages/companion", "packages/vscode"];
  await unlessBuilt("package", { folders, outputs: [packageFile] }, async () => {
    console.log("Packaging …");
    await packageExtension();
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await setUpToRun();
  await packageAll();
  console.log(packageFile);
}
