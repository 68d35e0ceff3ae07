import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { knownFiles } from "../scripts/known-files.mjs";
import { inRepository } from "../scripts/repository.mjs";

/** @returns {Promise<string[]>} `folder: package` of every direct dependency that no table of docs/inside/decisions names */
export async function dependenciesWithoutReason() {
  const justified = await justifiedPackages();
  const missing = [];
  for (const folder of (await knownFiles("*package.json")).map(dirname)) {
    for (const name of await directDependencies(folder)) {
      if (!justified.has(name)) missing.push(`${folder}: ${name}`);
    }
  }
  return missing;
}

/** @returns {Promise<number>} how many packages those install who use a package of ours as a library */
export async function countDependencies(folder) {
  return Object.keys((await readJson(inRepository(folder, "package.json"))).dependencies ?? {}).length;
}

/** @returns {Promise<string[]>} names, sorted */
async function directDependencies(folder) {
  const { dependencies, devDependencies } = await readJson(inRepository(folder, "package.json"));
  return Object.keys({ ...dependencies, ...devDependencies }).sort();
}

/** The first column of every table in docs/inside/decisions. */
async function justifiedPackages() {
  const folder = inRepository("docs", "inside", "decisions");
  const names = new Set();
  for (const page of await readdir(folder)) {
    for (const line of (await readFile(join(folder, page), "utf8")).split("\n")) {
      const [, cell = ""] = /^\| ([^|]+) \|/.exec(line) ?? [];
      for (const word of cell.split(/[\s,`]+/)) names.add(word);
    }
  }
  return names;
}

/** Permissive ones, which ask for their text to be passed on and for nothing else. */
const shippable = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
]);

/** @returns {Promise<string[]>} `path: licence` of the packages behind the published ones, and behind what is bundled */
export async function licencesWeCannotShip() {
  const { packages } = await readJson(inRepository("package-lock.json"));
  const reached = new Set();
  const visit = (from, name) => {
    const path = resolve(packages, from, name);
    if (path === undefined || reached.has(path)) return;
    reached.add(path);
    const { dependencies, peerDependencies } = packages[path];
    for (const next of Object.keys({ ...dependencies, ...peerDependencies })) visit(path, next);
  };
  for (const folder of ["packages/companion", "packages/review-ui", "packages/vscode"]) {
    const { dependencies, devDependencies } = packages[folder];
    const bundled = folder === "packages/companion" ? {} : devDependencies;
    for (const name of Object.keys({ ...dependencies, ...bundled })) visit(folder, name);
  }
  return [...reached]
    .filter((path) => !shippable.has(packages[path].license))
    .map((path) => `${path}: ${packages[path].license}`);
}

/** Where Node would find a package; undefined when it is one of ours, or not installed as an optional peer. */
function resolve(packages, from, name) {
  const inFolder = (folder) => `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
  let folder = from;
  while (folder !== "" && packages[inFolder(folder)] === undefined) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")));
  }
  const found = packages[inFolder(folder)];
  return found === undefined || found.link ? undefined : inFolder(folder);
}

const readJson = async (path) => JSON.parse(await readFile(path, "utf8"));
