import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { command } from "../command.mjs";
import { inRepository } from "../repository.mjs";
import { reasonAgainst, unlessDone } from "./lock.mjs";
import { newerNode } from "./newer-node.mjs";
import { installNpmPackages, runNpm } from "./npm-packages.mjs";

const folder = inRepository("e2e", "theia");
/** Holds the digest of the lock file that Theia was built from. */
const stamp = join(folder, "lib", "built");

/**
 * Installs Theia's packages and builds an application of them: a minute on an idle machine, 0.8 GB.
 * @returns {Promise<string | undefined>} why it could not be had
 */
export async function installTheia() {
  const how = newerNode();
  if (how === undefined) return "Theia is built by Node 24, which is not installed";
  return reasonAgainst("Theia could not be installed", async () => {
    // Most native parts come ready made; the install scripts would fetch a browser and build what no test needs.
    await installNpmPackages(folder, { ...how, options: ["--ignore-scripts"], quiet: true });
    await unlessDone("theia", isBuilt, () => build(how));
  });
}

async function build({ node, env }) {
  console.log("Building Theia …");
  const options = { cwd: folder, env, quiet: true };
  // Its script would first look for a ready-made one in the net.
  const fromSource = { ...env, npm_config_build_from_source: "true" };
  await runNpm(["rebuild", "drivelist"], { ...options, node, env: fromSource });
  await command(node, [join("node_modules", "@theia", "cli", "bin", "theia.js"), "build"], options);
  await writeFile(`${stamp}.new`, await digest());
  await rename(`${stamp}.new`, stamp);
}

async function isBuilt() {
  const found = await readFile(stamp, "utf8").catch(() => undefined); // it was never built
  return found === (await digest());
}

async function digest() {
  const text = await readFile(join(folder, "package-lock.json"));
  return createHash("sha256").update(text).digest("hex");
}
