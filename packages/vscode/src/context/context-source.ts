import type { EditorContext } from "ide-companion";
import * as vscode from "vscode";
import { proposedSideOf } from "../diffs/proposal-tabs.ts";
import { createAttention, type SeenTab } from "./attention.ts";
import { positionIn } from "./position.ts";
import { fileOf } from "./tab-file.ts";

/** Events come in bursts: how long to wait for the rest of one, in milliseconds. */
const burst = 20;

/** What the user is looking at in this window; what of it agents are sent, the companion decides. */
export interface ContextSource extends vscode.Disposable {
  /** As last seen. */
  readonly current: EditorContext;
  onContext(listener: (context: EditorContext) => void): () => void;
  /** Something beside the tabs has changed that counts here. */
  refresh(): void;
}

export function createContextSource(): ContextSource {
  const listeners = new Set<(context: EditorContext) => void>();
  const attention = createAttention();
  let current: EditorContext = { files: [] };
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    timer = undefined;
    current = attention.see(seeTabs(), positionIn);
    for (const listener of listeners) listener(current);
  }

  function refresh(): void {
    timer ??= setTimeout(tell, burst);
  }

  const { tabGroups } = vscode.window;
  // Also what another program deletes: its tab stays, and nothing else is told.
  const gone = vscode.workspace.createFileSystemWatcher("**", true, true, false);
  const subscriptions = vscode.Disposable.from(
    tabGroups.onDidChangeTabs(refresh),
    tabGroups.onDidChangeTabGroups(refresh),
    vscode.window.onDidChangeActiveTextEditor(refresh),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === vscode.window.activeTextEditor) refresh();
    }),
    vscode.workspace.onDidRenameFiles(refresh),
    gone,
    gone.onDidDelete(refresh),
  );
  return {
    get current() {
      return current;
    },
    onContext(listener) {
      listeners.add(listener);
      refresh();
      return () => listeners.delete(listener);
    },
    refresh,
    dispose() {
      clearTimeout(timer);
      subscriptions.dispose();
    },
  };
}

function seeTabs(): SeenTab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs, isActive: isInActiveGroup }) =>
    tabs.map((tab) => {
      const path = fileOf(tab);
      return {
        ...(path === undefined ? {} : { path }),
        isAside: tab.input instanceof vscode.TabInputTerminal || proposedSideOf(tab) !== undefined,
        isShown: tab.isActive,
        isInActiveGroup,
      };
    }),
  );
}
