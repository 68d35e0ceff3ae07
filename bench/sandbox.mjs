import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesIn } from "./servers/context.mjs";

/**
 * Private folders of the bench: a home, a temporary folder and a workspace with ten files.
 * @typedef {object} Sandbox
 * @property {string} folder holds all the rest
 * @property {string} workspace
 * @property {NodeJS.ProcessEnv} env for processes in the sandbox
 * @property {() => Promise<void>} remove
 */

/** @returns {Promise<Sandbox>} */
export async function createSandbox() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ide-companion-bench-")));
  const [home, tmp, workspace] = ["home", "tmp", "workspace"].map((name) => join(folder, name));
  for (const path of [home, tmp, workspace]) await mkdir(path, { mode: 0o700 });
  await Promise.all(filesIn(workspace).map((path) => writeFile(path, "export const here = true;\n")));
  const { PATH, SystemRoot } = process.env;
  return {
    folder,
    workspace,
    env: {
      PATH,
      ...(SystemRoot === undefined ? {} : { SystemRoot }),
      HOME: home,
      USERPROFILE: home,
      TMPDIR: tmp,
      TMP: tmp,
      TEMP: tmp,
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
