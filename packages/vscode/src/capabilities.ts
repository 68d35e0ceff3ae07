import type { Diagnostic, FileLocation } from "ide-companion";
import * as vscode from "vscode";
import { commands, window } from "vscode";
import { fileOf } from "./context/context-source.ts";

/** Opens the file to the side when the active editor is in use, so that nothing covers it. */
export async function openFile({ path, line, character = 1 }: FileLocation, isInUse: boolean): Promise<void> {
  const position = line === undefined ? undefined : new vscode.Position(line - 1, character - 1);
  const options: vscode.TextDocumentShowOptions = {
    preserveFocus: true,
    viewColumn: columnOf(path) ?? (isInUse ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active),
    ...(position && { selection: new vscode.Range(position, position) }),
  };
  await commands.executeCommand("vscode.open", vscode.Uri.file(path), options);
  if (columnOf(path) === undefined) throw new Error("VS Code has not opened it");
}

/** The column that shows a file now, other than in a diff. */
function columnOf(path: string): vscode.ViewColumn | undefined {
  // On Windows, VS Code spells drive letters in its own way.
  const { fsPath } = vscode.Uri.file(path);
  const shows = (tab: vscode.Tab | undefined) =>
    tab !== undefined && fileOf(tab) === fsPath && !(tab.input instanceof vscode.TabInputTextDiff);
  return window.tabGroups.all.find(({ activeTab }) => shows(activeTab))?.viewColumn;
}

/** Of one file, or of all. The companion decides which of them agents receive. */
export function readDiagnostics(path: string | undefined): readonly Diagnostic[] {
  const { getDiagnostics } = vscode.languages;
  const uri = path === undefined ? undefined : vscode.Uri.file(path);
  return (uri ? [[uri, getDiagnostics(uri)] as const] : getDiagnostics())
    .filter(([{ scheme }]) => scheme === "file")
    .flatMap(([{ fsPath }, found]) => found.map((problem) => toDiagnostic(fsPath, problem)));
}

const severities = ["error", "warning", "info", "hint"] as const;

/** The part of it that agents receive. @param filePath absolute */
export function toDiagnostic(
  filePath: string,
  { range, message, severity, source, code }: vscode.Diagnostic,
): Diagnostic {
  const name = typeof code === "object" ? code.value : code;
  return {
    filePath,
    line: range.start.line + 1,
    character: range.start.character + 1,
    endLine: range.end.line + 1,
    endCharacter: range.end.character + 1,
    severity: severities[severity] ?? "info",
    message,
    ...(source ? { source } : {}),
    ...(name === undefined ? {} : { code: String(name) }),
  };
}
