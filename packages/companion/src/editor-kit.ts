/** What an editor that runs in this process needs besides `startCompanion`: the parts that frontends are made of. */

export { toMessage } from "./core/comments/message.ts";
export { isMentions, toPromptText } from "./core/prompt-message.ts";
export { defaultExclusions, toPatterns } from "./core/sharing/exclusion.ts";
export { createSharing, type Sharing } from "./core/sharing/sharing.ts";
export { groupWaiting, progressOf, toStopPatterns, type WaitingGroup } from "./core/waiting-groups.ts";
export { readFileText } from "./files/file-text.ts";
export { safeText } from "./files/safe-text.ts";
export { isInside } from "./files/workspace-path.ts";
export { type ConnectionStatus, createConnectionStatus } from "./frontends/lsp/connection-status.ts";
export { toLogLine } from "./frontends/lsp/log-line.ts";
export { countLines, findHunks, type Hunk, rangeOf, revert, touches } from "./frontends/lsp/plain/hunks.ts";
export { isInContainer, systemHost, toLoopbackEnv } from "./system/host.ts";
export { pidIsAlive } from "./system/liveness.ts";
export { writePrivateFile } from "./system/private-file.ts";
