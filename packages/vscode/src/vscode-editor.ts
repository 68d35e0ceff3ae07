import type { Editor, OptionalCapabilities } from "ide-companion";
import * as vscode from "vscode";
import type { ContextSource } from "./context/context-source.ts";
import type { Proposals } from "./diffs/proposals.ts";

export interface VscodeEditorParts {
  readonly source: ContextSource;
  readonly proposals: Proposals;
  readonly capabilities: OptionalCapabilities;
}

/** This window, as the companion sees it. */
export function createVscodeEditor({ source, proposals, capabilities }: VscodeEditorParts): Editor {
  const displayName = vscode.env.appName;
  return {
    ...capabilities,
    info: { name: displayName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-"), displayName },
    // The extension host's parent, which is also an ancestor of every terminal of this window.
    pid: process.ppid,
    onContext: (listener) => source.onContext(listener),
    openDiff: (proposal, decide, saveDraft) => proposals.open(proposal, decide, saveDraft),
    closeDiff: (id, reason) => proposals.close(id, reason),
    readDiff: async (id) => proposals.read(id),
  };
}
