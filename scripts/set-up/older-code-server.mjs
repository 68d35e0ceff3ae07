import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { command } from "../command.mjs";
import { inRepository } from "../repository.mjs";
import { withLock } from "./lock.mjs";
import { npm } from "./npm-packages.mjs";

/** The oldest that our extension supports and that installs from the npm registry alone. It runs on Node 20. */
const version = "4.99.4";
const folder = inRepository(".cache", `code-server-${version}`);
const stamp = join(folder, "installed");
const nodeFolder = inRepository("e2e", "nodes", "node_modules", "node-20.19");

/** Its native parts, by the folder that npm builds them from. */
const natives = {
  ".": ["argon2"],
  "node_modules/code-server/lib/vscode": ["@vscode/spdlog", "native-watchdog", "kerberos"],
};

/**
 * Installs an old VS Code as code-server, without its search, which would be fetched from elsewhere: two minutes on an
 * idle machine. Needs the Nodes of e2e/nodes.
 * @returns {Promise<string | undefined>} why it could not be had
 */
export async function installOlderCodeServer() {
  if (existsSync(stamp)) return undefined;
  try {
    await mkdir(folder, { recursive: true });
    await withLock(`${folder}.lock`, async () => {
      if (!existsSync(stamp)) await install();
    });
    return undefined;
  } catch (error) {
    return `code-server ${version} could not be installed: ${error.message}`;
  }
}

async function install() {
  console.log(`Installing code-server ${version} …`);
  const node = join(nodeFolder, "bin", "node");
  const PATH = [join(nodeFolder, "bin"), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, npm_config_nodedir: nodeFolder, npm_config_jobs: "max" };
  const [program, ...first] = npm(node);
  const run = (cwd, ...args) =>
    command(program, [...first, ...args, "--loglevel=error"], { cwd: join(folder, cwd), env, quiet: true });
  const plainly = ["--ignore-scripts", "--no-audit", "--no-fund"];
  await writeFile(join(folder, "package.json"), "{}\n");
  await run(".", "install", ...plainly, "--no-save", `code-server@${version}`);
  const [, vscode] = Object.keys(natives);
  for (const cwd of [vscode, join(vscode, "extensions")]) await run(cwd, "install", ...plainly, "--omit=dev");
  for (const [cwd, names] of Object.entries(natives))
    for (const name of names) await run(cwd, "rebuild", name);
  await writeFile(stamp, "");
}
