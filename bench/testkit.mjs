import { mkdir } from "node:fs/promises";
import "../torture/typescript.mjs";

// Node 20 reads no TypeScript before the line above has run.
export const { createPrivateFolders } = await import("../packages/testkit/src/private-folders.ts");
export const { killTree, processTree } = await import("../packages/testkit/src/process-tree.ts");
export const { openPageSocket } = await import("../packages/testkit/src/page-client.ts");
export const { createSandbox } = await import("../packages/testkit/src/sandbox.ts");
export const { waitForSnapshots } = await import("../packages/testkit/src/snapshots.ts");

const { placeOf, requestSnapshot } = await import("../packages/companion/src/cli/hook/place.ts");
const { WrittenLog } = await import("../packages/companion/src/core/written/written-log.ts");
const { writtenFolder } = await import("../packages/companion/src/system/host.ts");

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
