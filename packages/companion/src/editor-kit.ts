/** What an editor that runs in this process needs beside `startCompanion`: the parts that frontends are made of. */

export { systemHost } from "./agents/index.ts";
export { isInside } from "./agents/workspace-path.ts";
export { toLoopbackEnv } from "./cli/run/proxies.ts";
export { isInContainer } from "./client/container.ts";
export { pidIsAlive, writePrivateFile } from "./discovery/index.ts";
export { type ConnectionStatus, createConnectionStatus } from "./frontends/lsp/connection-status.ts";
export { toLogLine } from "./frontends/lsp/log-line.ts";
export { countLines, findHunks, type Hunk, rangeOf, revert, touches } from "./frontends/lsp/plain/hunks.ts";
export { readFileText } from "./frontends/review/file-text.ts";
export { safeText } from "./safe-text.ts";
export { createSharing, defaultExclusions, type Sharing, toPatterns } from "./sharing/index.ts";
