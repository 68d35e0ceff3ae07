import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { command } from "../command.mjs";
import { repository } from "../repository.mjs";
import { unlessDone } from "./lock.mjs";

/**
 * Installs what a folder's package-lock.json names, unless it is there.
 * @param {string} folder
 * @param {{ options?: readonly string[], node?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [how]
 *   `options` are npm's own; `node` runs npm, by default the one that runs us; `quiet` shows npm's output only
 *   when it fails
 */
export async function installNpmPackages(folder, { options = [], node, env, quiet = false } = {}) {
  const name = (relative(repository, folder) || "repository").replaceAll(sep, "-");
  const isDone = () => isInstalled(folder);
  await unlessDone(`npm-${name}`, isDone, async () => {
    console.log(`Installing npm packages of ${relative(repository, folder) || "the repository"} …`);
    // Not `npm ci`: it refuses a lock file in which an optional package of some other system is missing.
    const install = ["install", "--no-save", "--no-audit", "--no-fund", ...options];
    await runNpm(install, { node, cwd: folder, env, quiet });
  });
}

/** Whether every package of the lock file stands in node_modules in its version. */
async function isInstalled(folder) {
  const wanted = await readPackages(join(folder, "package-lock.json"));
  const present = await readPackages(join(folder, "node_modules", ".package-lock.json"));
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      !path.startsWith("node_modules/") ||
      optional === true ||
      (present[path] !== undefined && (link === true || present[path].version === version)),
  );
}

async function readPackages(path) {
  try {
    return JSON.parse(await readFile(path, "utf8")).packages;
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

/** Runs npm to its end, as `command` does. @param {readonly string[]} args @param {object} how as `command` has it, and `node` */
export function runNpm(args, { node, ...how }) {
  const [program, ...first] = npm(node);
  return command(program, [...first, ...args, "--loglevel=error"], how);
}

/** The npm that runs us, or the one in PATH: a program and its first arguments. */
export function npm(node = process.execPath) {
  const { npm_execpath } = process.env;
  if (npm_execpath !== undefined) return [node, npm_execpath];
  return process.platform === "win32" ? ["npm.cmd"] : ["npm"];
}

/** The folder of a package that npm is made of. */
export function partsOfNpm(name) {
  const { npm_execpath } = process.env;
  const [node, ...rest] = npm();
  if (npm_execpath !== undefined && rest.length > 0)
    return join(dirname(npm_execpath), "..", "node_modules", name);
  const root = execFileSync(node, ["root", "--global"], { encoding: "utf8" }).trim();
  return join(root, "npm", "node_modules", name);
}
