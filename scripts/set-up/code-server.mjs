import { inRepository } from "../repository.mjs";
import { newerNode } from "./newer-node.mjs";
import { installNpmPackages } from "./npm-packages.mjs";

/**
 * Installs VS Code as code-server: a minute and a half on an idle machine, 0.6 GB.
 * @returns {Promise<string | undefined>} why it could not be had
 */
export async function installCodeServer() {
  const how = newerNode();
  if (how === undefined) return "code-server is built by Node 24, which is not installed";
  try {
    await installNpmPackages(inRepository("e2e", "vscode"), { ...how, quiet: true });
    return undefined;
  } catch (error) {
    return `code-server could not be installed: ${error.message}`;
  }
}
