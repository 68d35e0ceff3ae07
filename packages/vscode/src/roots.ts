import * as vscode from "vscode";

/** Absolute paths of the folders that are open on this machine's disk. */
export function openRoots(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}
