import { type CompanionEvent, type Editor, type OptionalCapabilities, startCompanion } from "ide-companion";
import { type Sharing, toLogLine } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import type { ContextSource } from "./context/context-source.ts";
import type { Proposals } from "./diffs/proposals.ts";
import { foldersAreKnown, openRoots, settings } from "./workspace.ts";

export interface WindowCompanionOptions {
  readonly source: ContextSource;
  readonly proposals: Proposals;
  readonly capabilities: OptionalCapabilities;
  readonly sharing: Sharing;
  readonly log: vscode.LogOutputChannel;
  readonly onEvent: (event: CompanionEvent) => void;
}

/**
 * Starts the companion of this window.
 * @throws Error when no port can be opened, or when no discovery file can be written
 */
export async function startWindowCompanion(options: WindowCompanionOptions) {
  const { source, sharing, log, onEvent } = options;
  await foldersAreKnown();
  const roots = openRoots();
  const companion = await startCompanion({
    editor: createVscodeEditor(options),
    roots,
    trusted: () => vscode.workspace.isTrusted,
    sharing,
    agentAccept: () => settings.agentAccept,
    onEvent(event) {
      onEvent(event);
      const line = toLogLine(event);
      if (line !== undefined) log.info(line);
      if (event.kind === "warning") log.warn(event.message);
    },
  });
  const followFolders = () => {
    companion.setRoots(openRoots()).catch((error: Error) => log.error(error.message));
  };
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidChangeWorkspaceFolders(followFolders),
    vscode.workspace.onDidGrantWorkspaceTrust(() => source.refresh()),
  );
  // They may have changed during the start.
  if (openRoots().join("\n") !== roots.join("\n")) followFolders();
  return {
    companion,
    async close() {
      subscriptions.dispose();
      await companion.close();
    },
  };
}

/** This window as an editor of the companion. */
function createVscodeEditor({ source, proposals, capabilities }: WindowCompanionOptions): Editor {
  const displayName = vscode.env.appName;
  return {
    ...capabilities,
    info: { name: displayName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-"), displayName },
    // The parent of the extension host. It is also an ancestor of every terminal of this window.
    pid: process.ppid,
    onContext: (listener) => source.onContext(listener),
    show: (change) => proposals.open(change),
    hide: (change, reason) => proposals.close(change, reason),
    flush: async (change) => proposals.flush(change),
    update: (change, rebase) => proposals.update(change, rebase),
  };
}
