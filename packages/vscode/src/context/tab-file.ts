import * as vscode from "vscode";

/** The file on disk that a tab shows, whatever shows it; undefined for all that is on no disk. */
export function fileOf({ input }: vscode.Tab): string | undefined {
  const uri = uriOf(input);
  return uri?.scheme === "file" ? uri.fsPath : undefined;
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  if (input instanceof vscode.TabInputNotebook) return input.uri;
  if (input instanceof vscode.TabInputCustom) return input.uri;
  // As in the source control view: the right side is the file as it is now.
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  if (input instanceof vscode.TabInputNotebookDiff) return input.modified;
  return undefined;
}
