import { writeFile } from "node:fs/promises";
import { filesIn } from "./servers/context.mjs";
import { createPrivateFolders } from "./testkit.mjs";

/**
 * The tests' private folders, with ten files in the workspace.
 * @typedef {import("../packages/testkit/src/private-folders.ts").PrivateFolders} Sandbox
 */

/** @returns {Promise<Sandbox>} */
export async function createSandbox() {
  const folders = createPrivateFolders();
  const { env, workspace } = folders;
  await Promise.all(filesIn(workspace).map((path) => writeFile(path, "export const here = true;\n")));
  const { SystemRoot } = process.env;
  return { ...folders, env: SystemRoot === undefined ? env : { ...env, SystemRoot } };
}
