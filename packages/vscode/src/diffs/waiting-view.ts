import { basename } from "node:path";
import * as vscode from "vscode";
import { toMarkdown } from "../plain-text.ts";
import { nameOf, type OpenProposal, sizeOf } from "./open-proposal.ts";
import { proposalIdOf } from "./proposal-documents.ts";
import type { Proposals } from "./proposals.ts";

/** The view refreshes once the user has not typed for this time, in milliseconds. */
const burst = 200;

/** Lists all files that wait for a decision. The badge on its icon shows how many. */
export function createWaitingView(proposals: Proposals): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<OpenProposal>("ideCompanion.waiting", {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (element) => (element ? [] : [...proposals.all]),
      getTreeItem: toItem,
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const refresh = () => {
    clearTimeout(timer);
    const { length } = proposals.all;
    const tooltip = vscode.l10n.t("Changes that wait for your decision");
    view.badge = length > 0 ? { value: length, tooltip } : undefined;
    changed.fire();
  };
  return vscode.Disposable.from(
    changed,
    view,
    { dispose: () => clearTimeout(timer) },
    proposals.onChange(refresh),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (proposalIdOf(document.uri) === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(refresh, burst);
    }),
  );
}

function toItem(open: OpenProposal): vscode.TreeItem {
  const { proposal, original, isEdited, isOriginalDirty } = open;
  const { l10n } = vscode;
  const item = new vscode.TreeItem(vscode.Uri.file(proposal.filePath));
  item.id = proposal.id;
  item.label = basename(proposal.filePath);
  const notes = [
    original.isNewFile ? l10n.t("new file") : undefined,
    isEdited ? l10n.t("with your edits") : undefined,
    isOriginalDirty ? l10n.t("the file has edits that you have not saved") : undefined,
  ].filter((note) => note !== undefined);
  item.description = [sizeOf(open), proposal.agent, ...notes].join(" · ");
  item.tooltip = new vscode.MarkdownString(toMarkdown(`${nameOf(open)}: ${item.description}`));
  item.accessibilityInformation = { label: `${nameOf(open)}, ${item.description}` };
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = "proposal";
  item.command = { command: "ideCompanion.review", title: l10n.t("Review"), arguments: [open] };
  return item;
}
