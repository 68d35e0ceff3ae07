import { readdir, readFile } from "node:fs/promises";
import { inRepository } from "../scripts/repository.mjs";
import { installNpmPackages } from "../scripts/set-up/npm-packages.mjs";

/**
 * A workflow as its YAML says it; only what we read of it.
 * @typedef {object} Workflow
 * @property {Record<string, Job>} jobs by name
 *
 * @typedef {object} Job
 * @property {string} [environment]
 * @property {Record<string, unknown>} [permissions]
 * @property {Record<string, string>} [env]
 * @property {{ matrix: Record<string, readonly unknown[]> }} [strategy]
 * @property {{ image: string }} [container]
 * @property {readonly Step[]} steps
 *
 * @typedef {object} Step
 * @property {string} [uses]
 * @property {string} [run]
 * @property {string} [shell]
 * @property {Record<string, unknown>} [with]
 * @property {Record<string, string | boolean>} [env]
 */

/**
 * @returns {Promise<Map<string, Workflow>>} every workflow of the repository, by the name of its file
 * @throws {Error} when one is no valid YAML
 */
export async function readWorkflows() {
  await installNpmPackages(inRepository("release"), { options: ["--ignore-scripts"], quiet: true });
  const { parse } = await import("yaml");
  const folder = inRepository(".github", "workflows");
  const names = (await readdir(folder)).sort();
  const read = async (name) => [
    name,
    parse(await readFile(inRepository(".github", "workflows", name), "utf8")),
  ];
  return new Map(await Promise.all(names.map(read)));
}
