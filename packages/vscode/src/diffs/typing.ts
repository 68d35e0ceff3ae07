import * as vscode from "vscode";

/** Whoever has used an editor within this time is working in it; in milliseconds. */
const pause = 3000;

/** Whether the user is, or may be, working in an editor right now. VS Code does not tell where the keyboard focus is. */
export interface Typing extends vscode.Disposable {
  readonly isUnderWay: boolean;
}

export function watchTyping(now: () => number = Date.now): Typing {
  let last = Number.NEGATIVE_INFINITY;
  const note = () => {
    last = now();
  };
  const subscriptions = [
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0 && document === vscode.window.activeTextEditor?.document) note();
    }),
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      // Without a kind it was some program, such as the one that has opened the file.
      if (kind === vscode.TextEditorSelectionChangeKind.Keyboard) note();
      if (kind === vscode.TextEditorSelectionChangeKind.Mouse) note();
    }),
  ];
  return {
    get isUnderWay() {
      return vscode.window.state.focused && (now() - last < pause || isOpaque());
    },
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
}

/** What is typed into the tab in front, VS Code does not tell. */
function isOpaque(): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const opaque = [vscode.TabInputTerminal, vscode.TabInputCustom, vscode.TabInputWebview];
  return opaque.some((kind) => input instanceof kind);
}
