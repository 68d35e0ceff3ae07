import type { Diagnostic, FileLocation, OptionalCapabilities } from "ide-companion";
import * as vscode from "vscode";
import { fileOf } from "../context/tab-file.ts";
import { toDiagnostic } from "./diagnostic.ts";

export interface CapabilitiesOptions {
  /** The user works in the editor that is looked at. */
  readonly isInUse: () => boolean;
}

/** What agents can ask of this window beside diffs. */
export function createCapabilities(options: CapabilitiesOptions): Required<OptionalCapabilities> {
  return {
    openFile: (position) => openFile(position, options.isInUse()),
    getDiagnostics: async (path) => readDiagnostics(path),
  };
}

/** In the editor that VS Code has for such files. One that is in use is not covered: the file comes beside it. */
async function openFile({ path, line, character = 1 }: FileLocation, isInUse: boolean): Promise<void> {
  const position = line === undefined ? undefined : new vscode.Position(line - 1, character - 1);
  const options: vscode.TextDocumentShowOptions = {
    preserveFocus: true,
    viewColumn: columnOf(path) ?? (isInUse ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active),
    ...(position && { selection: new vscode.Range(position, position) }),
  };
  await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path), options);
  if (columnOf(path) === undefined) throw new Error("VS Code has not opened it");
}

/** Where a file is to be seen now, by itself. */
function columnOf(path: string): vscode.ViewColumn | undefined {
  const shows = (tab: vscode.Tab | undefined) =>
    tab !== undefined && fileOf(tab) === path && !(tab.input instanceof vscode.TabInputTextDiff);
  return vscode.window.tabGroups.all.find(({ activeTab }) => shows(activeTab))?.viewColumn;
}

/** What of them agents are sent, the companion decides. */
function readDiagnostics(path: string | undefined): readonly Diagnostic[] {
  return problems(path)
    .filter(([{ scheme }]) => scheme === "file")
    .flatMap(([{ fsPath }, found]) => found.map((problem) => toDiagnostic(fsPath, problem)));
}

function problems(
  path: string | undefined,
): readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] {
  if (path === undefined) return vscode.languages.getDiagnostics();
  const uri = vscode.Uri.file(path);
  return [[uri, vscode.languages.getDiagnostics(uri)]];
}
