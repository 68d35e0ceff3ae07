import type { Turn } from "ide-companion";
import { progressOf, toSentence } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n, window, workspace } from "vscode";
import { toMessage } from "../plain-text.ts";
import { say } from "../wording.ts";
import { toFileItem } from "./list-view.ts";
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
  const view = window.createTreeView<ProposalGroup | OpenProposal>("ideCompanion.waiting", {
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
    const tooltip = l10n.t("Changes that wait for your decision");
    view.badge = length > 0 ? { value: length, tooltip } : undefined;
    const { ahead } = groups;
    view.message = ahead.map(describeAhead).join("\n");
    changed.fire();
  };
  const look = () => {
    const side = window.state.focused ? activeProposedSide()?.toString() : undefined;
    const seen = groups.proposals.find(({ uri, isSeen }) => !isSeen && uri.toString() === side);
    if (!seen) return;
    seen.isSeen = true;
    refresh();
  };
  return vscode.Disposable.from(
    changed,
    window.tabGroups.onDidChangeTabs(look),
    window.tabGroups.onDidChangeTabGroups(look),
    window.onDidChangeWindowState(look),
    view,
    { dispose: () => clearTimeout(timer) },
    groups.onChange(refresh),
    workspace.onDidChangeTextDocument(({ document }) => {
      if (proposalIdOf(document.uri) === undefined) return;
      clearTimeout(timer);
      timer = setTimeout(refresh, burst);
    }),
  );
}

/** Says in the status bar that the rest of a turn is being accepted, for as long as it is. A click stops it. */
export function showAcceptingAhead(groups: WaitingGroups): vscode.Disposable {
  const item = window.createStatusBarItem("ahead", vscode.StatusBarAlignment.Right, 101);
  item.name = l10n.t("Accepting ahead");
  item.command = "ideCompanion.stopAccepting";
  item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  const show = () => {
    const { ahead } = groups;
    void commands.executeCommand("setContext", "ideCompanion.acceptingAhead", ahead.length > 0);
    if (ahead.length === 0) return item.hide();
    const accepted = ahead.reduce((sum, turn) => sum + (turn.ahead?.accepted ?? 0), 0);
    const sentences = ahead.map(describeAhead).join("\n");
    item.text = `$(check-all) ${l10n.t("{0} accepted without you", accepted)}`;
    item.tooltip = `${sentences}\n${l10n.t("Click to stop.")}`;
    item.accessibilityInformation = { label: sentences };
    item.show();
  };
  return vscode.Disposable.from(item, groups.onChange(show));
}

/** What is accepted without the user, and what is not. */
function describeAhead({ agent, ahead }: Turn): string {
  const stopAt = ahead?.stopAt ?? [];
  return [
    l10n.t("What {0} proposes in this turn is accepted without you.", toMessage(agent)),
    l10n.t("{0} accepted so far.", ahead?.accepted ?? 0),
    ...(stopAt.length > 0 ? [l10n.t("Waiting for you: {0}", toMessage(stopAt.join(", ")))] : []),
  ].join(" ");
}

function toGroupItem(group: ProposalGroup): vscode.TreeItem {
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
  const notes = [
    sizeOf(open),
    stateOf(open) ?? faintDifferenceOf(open),
    others.some((other) => other !== open && other.filePath === open.filePath)
      ? l10n.t("another change of this file waits")
      : undefined,
    lossOf(open),
    original.isNewFile ? l10n.t("new file") : undefined,
    isEdited ? l10n.t("with your edits") : undefined,
    isOriginalDirty ? l10n.t("the file has edits that you have not saved") : undefined,
  ].filter((note) => note !== undefined);
  const waits = proposal.opensOneDiff
    ? [toSentence({ code: "waits-for-this", values: [open.agent] }, say)]
    : [];
  return toFileItem(open, {
    ...{ notes, details: [open.agent, ...notes, ...waits], isUnread: !isSeen },
    ...{ contextValue: "proposal", command: "ideCompanion.review" },
  });
}
