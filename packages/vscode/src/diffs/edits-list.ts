import { basename } from "node:path";
import type { RecoveredEditsSummary } from "ide-companion";
import * as vscode from "vscode";
import { toMarkdown, toMessage } from "../plain-text.ts";

const nameOf = ({ filePath }: RecoveredEditsSummary) => vscode.workspace.asRelativePath(filePath);

/** Agent and time of the proposal: `Some CLI · Nov 23, 2026, 3:19 PM`. */
function originOf({ agent, at }: RecoveredEditsSummary): string {
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  return `${agent} · ${new Date(at).toLocaleString(vscode.env.language, style)}`;
}

/** Lets the user choose from a list. Shows a message when it is empty. */
export async function chooseEdits(
  all: readonly RecoveredEditsSummary[],
): Promise<RecoveredEditsSummary | undefined> {
  const { l10n, window } = vscode;
  if (all.length === 0) {
    void window.showInformationMessage(l10n.t("There are no recovered edits."));
    return undefined;
  }
  const items = all.map((edits) => ({
    label: nameOf(edits),
    description: originOf(edits),
    detail: edits.reason,
    edits,
  }));
  const placeHolder = l10n.t("What you typed in proposed changes, and no file holds");
  return (await window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.edits;
}

/** Asks whether to discard the edits. */
export async function confirmDiscarding(edits: RecoveredEditsSummary): Promise<boolean> {
  const { l10n, window } = vscode;
  const discard = l10n.t("Discard");
  const message = toMessage(l10n.t("Discard your edits of {0}?", basename(edits.filePath)));
  const detail = toMessage(l10n.t("{0}. Nothing brings them back after that.", originOf(edits)));
  return (await window.showWarningMessage(message, { modal: true, detail }, discard)) === discard;
}

/** The same list in the side bar. */
export class EditsView implements vscode.TreeDataProvider<RecoveredEditsSummary> {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #list: () => readonly RecoveredEditsSummary[];
  readonly #view: vscode.Disposable;
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(list: () => readonly RecoveredEditsSummary[]) {
    this.#list = list;
    this.#view = vscode.window.createTreeView("ideCompanion.edits", { treeDataProvider: this });
  }

  refresh(): void {
    this.#changed.fire();
  }

  getChildren(element?: RecoveredEditsSummary): RecoveredEditsSummary[] {
    return element ? [] : [...this.#list()];
  }

  getTreeItem(edits: RecoveredEditsSummary): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.Uri.file(edits.filePath));
    item.id = edits.id;
    item.label = basename(edits.filePath);
    item.description = originOf(edits);
    item.tooltip = new vscode.MarkdownString(`${toMarkdown(nameOf(edits))}\n\n${toMarkdown(edits.reason)}`);
    item.iconPath = vscode.ThemeIcon.File;
    item.contextValue = "edits";
    item.command = {
      command: "ideCompanion.recoveredEdits",
      title: vscode.l10n.t("Review"),
      arguments: [edits],
    };
    return item;
  }

  dispose(): void {
    this.#view.dispose();
    this.#changed.dispose();
  }
}
