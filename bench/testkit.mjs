import "../torture/typescript.mjs";

// Node 20 reads no TypeScript before the line above has run.
export const { createPrivateFolders } = await import("../packages/testkit/src/private-folders.ts");
export const { killTree, processTree } = await import("../packages/testkit/src/process-tree.ts");
export const { openPageSocket } = await import("../packages/testkit/src/page-client.ts");
export const { createSandbox } = await import("../packages/testkit/src/sandbox.ts");
