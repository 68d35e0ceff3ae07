import { pathToFileURL } from "node:url";
import { inRepository, repository } from "./repository.mjs";
import { installCodeServer } from "./set-up/code-server.mjs";
import { installDebianPackages } from "./set-up/debian-packages.mjs";
import { installNpmPackages } from "./set-up/npm-packages.mjs";
import { installTheia } from "./set-up/theia.mjs";
import { installUnpackedEditors } from "./set-up/unpacked-editors.mjs";

/** What building and running needs. */
export async function setUpToRun() {
  await installNpmPackages(repository);
}

/**
 * What the tests need beyond that: programs of the system, the agent CLIs and editors.
 * @returns {Promise<string[]>} what could not be had, as sentences; the tests that need it are skipped
 */
export async function setUpToTest() {
  await setUpToRun();
  const reasons = [];
  const debian = await installDebianPackages();
  if (debian !== undefined) reasons.push(debian);
  if (process.platform === "linux" && process.arch === "x64") {
    // Their install scripts build and fetch what the tests do not need.
    await installNpmPackages(inRepository("e2e", "agents"), { options: ["--ignore-scripts"] });
    await installNpmPackages(inRepository("e2e", "mcp"), { options: ["--ignore-scripts"] });
    await installNpmPackages(inRepository("e2e", "opencode"), { options: ["--ignore-scripts"] });
    reasons.push(...(await Promise.all([installUnpackedEditors("test"), installCodeServer()])));
  } else {
    reasons.push(
      `the agent CLIs and editors are driven on Linux x64 only, and this is ${process.platform} ${process.arch}`,
    );
  }
  return reasons.filter((reason) => reason !== undefined);
}

/**
 * What the matrix needs beyond that: editors and Node versions that no test of a commit starts.
 * @returns {Promise<string[]>} as above
 */
export async function setUpToTestMatrix() {
  const reasons = await setUpToTest();
  if (process.platform === "linux" && process.arch === "x64") {
    await installNpmPackages(inRepository("e2e", "nodes"), { options: ["--ignore-scripts"] });
    reasons.push(...(await Promise.all([installUnpackedEditors("matrix"), installTheia()])));
  }
  return reasons.filter((reason) => reason !== undefined);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const reason of await setUpToTest()) console.log(reason);
}
