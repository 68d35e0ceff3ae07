import { basename } from "node:path";
import { progressOf, toSentence } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { toMarkdown, toMessage } from "../plain-text.ts";
import { say } from "../wording.ts";
import { folderOf, nameOf } from "../workspace.ts";
import { describeAhead } from "./accepting-ahead.ts";
import { notLookedAt, toFileIcon } from "./list-view.ts";
import type { OpenProposal } from "./open-proposal.ts";
import { proposalIdOf } from "./proposal-documents.ts";
import { faintDifferenceOf, lossOf, sizeOf, stateOf } from "./proposal-facts.ts";
import { activeProposedSide } from "./proposal-views.ts";
import { isGroup, type ProposalGroup, type WaitingGroups } from "./waiting-groups.ts";

/** The view refreshes once the user has not typed for this time, in milliseconds. */
const burst = 200;

/** Lists all files that wait for a decision, by agent and turn. The badge on its icon shows how many. */
export function createWaitingView(groups: WaitingGroups): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const view = vscode.window.createTreeView<ProposalGroup | OpenProposal>("ideCompanion.waiting", {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (element) => {
        if (!element) return [...groups.all];
        return isGroup(element) ? [...element.proposals] : [];
      },
      getTreeItem: (element) => (isGroup(element) ? toGroupItem(element) : toItem(element, groups.proposals)),
    },
  });
  let timer: NodeJS.Timeout | undefined;
  const refresh = () => {
    clearTimeout(timer);
    const { length } = groups.proposals;
    const tooltip = vscode.l10n.t("Changes that wait for your decision");
    view.badge = length > 0 ? { value: length, tooltip } : undefined;
    const { ahead } = groups;
    view.message = ahead.map(describeAhead).join("\n");
    changed.fire();
  };
  const look = () => {
    const side = vscode.window.state.focused ? activeProposedSide()?.toString() : undefined;
    const seen = groups.proposals.find(({ uri, isSeen }) => !isSeen && uri.toString() === side);
    if (!seen) return;
    seen.isSeen = true;
    refresh();
  };
  return vscode.Disposable.from(
    changed,
    vscode.window.tabGroups.onDidChangeTabs(look),
    vscode.window.tabGroups.onDidChangeTabGroups(look),
    vscode.window.onDidChangeWindowState(look),
    view,
    { dispose: () => clearTimeout(timer) },
    groups.onChange(refresh),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (proposalIdOf(document.uri) === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(refresh, burst);
    }),
  );
}

function toGroupItem(group: ProposalGroup): vscode.TreeItem {
  const { l10n } = vscode;
  const { key, agent, turn } = group;
  const { decided, total } = progressOf(group);
  const isAhead = turn?.ahead !== undefined;
  const item = new vscode.TreeItem(toMessage(agent), vscode.TreeItemCollapsibleState.Expanded);
  item.id = key;
  const notes = [
    total > 1 && l10n.t("{0} of {1} decided", decided, total),
    isAhead && l10n.t("accepted without you"),
  ];
  item.description = notes.filter(Boolean).join(" · ");
  item.iconPath = new vscode.ThemeIcon("sparkle");
  item.contextValue = isAhead ? "group.ahead" : "group";
  return item;
}

/** @param others all that wait */
function toItem(open: OpenProposal, others: readonly OpenProposal[]): vscode.TreeItem {
  const { proposal, original, isEdited, isOriginalDirty, isSeen } = open;
  const { l10n } = vscode;
  const item = new vscode.TreeItem(vscode.Uri.file(proposal.filePath));
  item.id = proposal.id;
  item.label = basename(proposal.filePath);
  const notes = [
    stateOf(open) ?? faintDifferenceOf(open),
    others.some((other) => other !== open && other.proposal.filePath === proposal.filePath) &&
      l10n.t("another change of this file waits"),
    lossOf(open),
    original.isNewFile && l10n.t("new file"),
    isEdited && l10n.t("with your edits"),
    isOriginalDirty && l10n.t("the file has edits that you have not saved"),
  ].filter(Boolean);
  item.description = [folderOf(proposal.filePath), sizeOf(open), ...notes].filter(Boolean).join(" · ");
  const waits = proposal.opensOneDiff
    ? [toSentence({ code: "waits-for-this", values: [proposal.agent] }, say)]
    : [];
  const unread = isSeen ? [] : [notLookedAt()];
  const whole = [sizeOf(open), proposal.agent, ...notes, ...waits, ...unread].join(" · ");
  item.tooltip = new vscode.MarkdownString(toMarkdown(`${nameOf(proposal.filePath)}: ${whole}`));
  item.accessibilityInformation = { label: `${nameOf(proposal.filePath)}, ${whole}` };
  item.iconPath = toFileIcon(!isSeen);
  item.contextValue = "proposal";
  item.command = { command: "ideCompanion.review", title: l10n.t("Review"), arguments: [open] };
  return item;
}
