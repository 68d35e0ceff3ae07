import type { RecoveredEdits } from "ide-companion";
import * as vscode from "vscode";

/** Puts recovered edits into their file's editor, unsaved: the user looks, saves or undoes. */
export async function restoreEdits({ filePath, text }: RecoveredEdits): Promise<void> {
  const { window, workspace } = vscode;
  const document = await openFile(vscode.Uri.file(filePath));
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  edit.set(document.uri, [
    vscode.TextEdit.setEndOfLine(endOf(text)),
    vscode.TextEdit.replace(whole, text.replace(/^\uFEFF/, "")),
  ]);
  await workspace.applyEdit(edit);
  await window.showTextDocument(document, { preview: false });
}

/** One that is there no more is a new one, which VS Code saves in that place. */
async function openFile(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return vscode.workspace.openTextDocument(uri.with({ scheme: "untitled" }));
  }
}

const endOf = (text: string): vscode.EndOfLine =>
  /^[^\n]*\r\n/.test(text) ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
