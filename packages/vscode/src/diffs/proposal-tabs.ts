import * as vscode from "vscode";
import { scheme } from "./proposal-documents.ts";

/** The tabs that show a document. There are several when the user has split the view. */
export function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  const wanted = uri.toString();
  return allTabs().filter((tab) => proposedSideOf(tab)?.toString() === wanted);
}

/** Every tab of a proposal, including those of earlier runs. */
export function ourTabs(): vscode.Tab[] {
  return allTabs().filter((tab) => proposedSideOf(tab)?.scheme === scheme);
}

/** The document of a proposal that a tab shows. */
export function proposedSideOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input = tab?.input;
  const uri =
    input instanceof vscode.TabInputTextDiff
      ? input.modified
      : input instanceof vscode.TabInputText
        ? input.uri
        : undefined;
  return uri?.scheme === scheme ? uri : undefined;
}

/** The document of the proposal in the active tab. */
export function activeProposedSide(): vscode.Uri | undefined {
  return proposedSideOf(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/** Closes tabs without moving the focus. */
export async function closeTabs(tabs: readonly vscode.Tab[]): Promise<void> {
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

const allTabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
