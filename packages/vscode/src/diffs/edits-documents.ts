import { basename } from "node:path";
import type { Edits, RecoveredEdits, RecoveredEditsSummary } from "ide-companion";
import { readFileText } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { silence } from "./proposal-documents.ts";
import { closeTabs } from "./proposal-views.ts";

/** The scheme of documents with recovered edits, and of the empty ones on the other side. */
const editsScheme = "ide-companion-edits";

/** Provides recovered edits as read-only documents. */
export function provideEdits(edits: () => Edits | undefined): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(editsScheme, {
      provideTextDocumentContent: ({ query, fragment }) =>
        fragment === "" ? (edits()?.read(query)?.text ?? "") : "",
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.uri.scheme === editsScheme) void silence(document);
    }),
  );
}

/** Shows a diff from the current file to the edits. */
export async function showEdits({ id, filePath }: RecoveredEditsSummary): Promise<void> {
  const uri = uriOf(id, filePath);
  const file = await readFileText(filePath);
  const left = file.kind === "text" ? vscode.Uri.file(filePath) : uri.with({ fragment: "none" });
  const title = vscode.l10n.t("{0} (your recovered edits)", basename(filePath));
  await vscode.commands.executeCommand("vscode.diff", left, uri, title, { preview: false });
}

export async function closeEdits(id: string): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
  await closeTabs(tabs.filter((tab) => idShownBy(tab) === id));
}

/** The id of the edits in the active tab. */
export const activeEditsId = (): string | undefined =>
  idShownBy(vscode.window.tabGroups.activeTabGroup.activeTab);

const uriOf = (id: string, filePath: string) =>
  vscode.Uri.file(filePath).with({ scheme: editsScheme, query: id });

function idShownBy(tab: vscode.Tab | undefined): string | undefined {
  if (!(tab?.input instanceof vscode.TabInputTextDiff)) return undefined;
  const { scheme, query } = tab.input.modified;
  return scheme === editsScheme ? query : undefined;
}

/** Puts recovered edits into their file's editor, unsaved: the user checks, saves or undoes them. */
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

/** A missing file opens as a new document that VS Code saves at the same path. */
async function openFile(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return vscode.workspace.openTextDocument(uri.with({ scheme: "untitled" }));
  }
}

const endOf = (text: string): vscode.EndOfLine =>
  /^[^\n]*\r\n/.test(text) ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
