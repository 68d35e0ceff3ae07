import type { Editor } from "ide-companion";
import * as vscode from "vscode";
import type { ContextSource } from "./context/context-source.ts";
import type { Proposals } from "./diffs/proposals.ts";

/** This window, as the companion sees it. */
export function createVscodeEditor(source: ContextSource, proposals: Proposals): Editor {
  const displayName = vscode.env.appName;
  return {
    info: { name: displayName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-"), displayName },
    // The extension host's parent, which is also an ancestor of every terminal of this window.
    pid: process.ppid,
    onContext: (listener) => source.onContext(listener),
    openDiff: (proposal, decide) => proposals.open(proposal, decide),
    closeDiff: (id, reason) => proposals.close(id, reason),
    readDiff: async (id) => proposals.read(id),
  };
}
