import { mkdir, writeFile } from "node:fs/promises";
import { filesIn } from "./servers/context.mjs";
import "../torture/typescript.mjs";

/** @typedef {import("../packages/testkit/src/private-folders.ts").PrivateFolders} Folders */

// Node 20 reads no TypeScript before the line above has run.
const { createPrivateFolders } = await import("../packages/testkit/src/private-folders.ts");
export const { killTree, processTree } = await import("../packages/testkit/src/process-tree.ts");
export const { openPageSocket } = await import("../packages/testkit/src/page-client.ts");
export const { createSandbox } = await import("../packages/testkit/src/sandbox.ts");
export const { poll } = await import("../packages/testkit/src/waiting.ts");
export const { waitForSnapshots } = await import("../packages/testkit/src/snapshots.ts");

const { placeOf, requestSnapshot } = await import("../packages/companion/src/cli/hook/place.ts");
const { WrittenLog } = await import("../packages/companion/src/core/written/written-log.ts");
const { writtenFolder } = await import("../packages/companion/src/system/host.ts");

/** The tests' private folders, with ten files in the workspace. @returns {Promise<Folders>} */
export async function createFolders() {
  const folders = createPrivateFolders();
  const { env, workspace } = folders;
  await Promise.all(filesIn(workspace).map((path) => writeFile(path, "export const here = true;\n")));
  const { SystemRoot } = process.env;
  return { ...folders, env: SystemRoot === undefined ? env : { ...env, SystemRoot } };
}

/** What hooks have recorded, and how they request a snapshot. */
export function recordOf(host) {
  const log = new WrittenLog(writtenFolder(host));
  return {
    folder: log.folder,
    async request(folder) {
      await mkdir(log.folder, { recursive: true });
      requestSnapshot(await placeOf(folder, log));
    },
  };
}
