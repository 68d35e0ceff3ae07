import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { inRepository } from "../repository.mjs";
import { reasonAgainst, unlessDone } from "./lock.mjs";
import { newerNode } from "./newer-node.mjs";
import { installNpmPackages, runNpm } from "./npm-packages.mjs";

const plainly = ["--ignore-scripts", "--no-audit", "--no-fund"];

/**
 * Installs VS Code as code-server: half a minute on an idle machine, 0.6 GB.
 * @param {Promise<void>} agents whose folder has the Node that builds its native parts
 * @returns {Promise<string | undefined>} why it could not be had
 */
export async function installCodeServer(agents) {
  const folder = inRepository("e2e", "vscode");
  return reasonAgainst("code-server could not be installed", async () => {
    await installNpmPackages(folder, { options: ["--ignore-scripts"], quiet: true });
    // Its install script would build more, SQLite among them, which VS Code in a browser does not load.
    const natives = { "lib/vscode": ["@vscode/spdlog", "@vscode/native-watchdog"] };
    await once("code-server", folder, async () => {
      await installParts(folder);
      await agents;
      const how = newerNode();
      if (how === undefined) throw new Error("it is built by Node 24, which is not installed");
      await build(folder, how, natives);
    });
  });
}

/** The oldest that our extension supports and that installs from the npm registry alone. It runs on Node 20. */
const older = "code-server-4.99.4";

/**
 * Installs an old VS Code as code-server, without its search, which would be fetched from elsewhere: two minutes on an
 * idle machine. Needs the Nodes of e2e/nodes.
 * @returns {Promise<string | undefined>} as above
 */
export async function installOlderCodeServer() {
  const folder = inRepository(".cache", older);
  const nodeFolder = inRepository("e2e", "nodes", "node_modules", "node-20.19");
  const PATH = [join(nodeFolder, "bin"), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, npm_config_nodedir: nodeFolder, npm_config_jobs: "max" };
  const how = { node: join(nodeFolder, "bin", "node"), env };
  return reasonAgainst(`${older} could not be installed`, () =>
    once(older, folder, async () => {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "package.json"), "{}\n");
      const wanted = older.replace(/-(?=\d)/, "@");
      await runNpm(["install", "--no-save", wanted, ...plainly], { ...how, cwd: folder, quiet: true });
      await installParts(folder, how);
      await build(folder, how, {
        "../..": ["argon2"],
        "lib/vscode": ["@vscode/spdlog", "native-watchdog", "kerberos"],
      });
    }),
  );
}

const rootIn = (folder) => join(folder, "node_modules", "code-server");

/** Unless it was done for what is installed there. */
async function once(name, folder, work) {
  const stamp = join(rootIn(folder), "finished");
  const isDone = () => existsSync(stamp);
  await unlessDone(name, isDone, async () => {
    await work();
    await writeFile(stamp, "");
  });
}

/** What VS Code itself depends on. */
async function installParts(folder, how = {}) {
  const parts = ["lib/vscode", "lib/vscode/extensions"].map((part) => join(rootIn(folder), part));
  const args = ["install", "--omit=dev", ...plainly];
  await Promise.all(parts.map((cwd) => runNpm(args, { ...how, cwd, quiet: true })));
}

/**
 * Builds what its install script builds, as far as tests need it.
 * @param natives the native parts that VS Code loads, by the folder that depends on them
 */
async function build(folder, how, natives) {
  for (const [part, names] of Object.entries(natives))
    await runNpm(["rebuild", ...names], { ...how, cwd: join(rootIn(folder), part), quiet: true });
}
