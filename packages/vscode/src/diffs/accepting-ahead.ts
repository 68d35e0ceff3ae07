import type { Turn } from "ide-companion";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import type { WaitingGroups } from "./waiting-groups.ts";

/** Says in the status bar that the rest of a turn is being accepted, for as long as it is. A click stops it. */
export function showAcceptingAhead(groups: WaitingGroups): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("ahead", vscode.StatusBarAlignment.Right, 101);
  item.name = vscode.l10n.t("Accepting ahead");
  item.command = "ideCompanion.stopAccepting";
  item.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
  const show = () => {
    const { ahead } = groups;
    void vscode.commands.executeCommand("setContext", "ideCompanion.acceptingAhead", ahead.length > 0);
    if (ahead.length === 0) return item.hide();
    const accepted = ahead.reduce((sum, turn) => sum + (turn.ahead?.accepted ?? 0), 0);
    const sentences = ahead.map(describeAhead).join("\n");
    item.text = `$(check-all) ${vscode.l10n.t("{0} accepted without you", accepted)}`;
    item.tooltip = `${sentences}\n${vscode.l10n.t("Click to stop.")}`;
    item.accessibilityInformation = { label: sentences };
    item.show();
  };
  return vscode.Disposable.from(item, groups.onChange(show));
}

/** What is accepted without the user, and what is not. */
export function describeAhead({ agent, ahead }: Turn): string {
  const { l10n } = vscode;
  const stopAt = ahead?.stopAt ?? [];
  return [
    l10n.t("What {0} proposes in this turn is accepted without you.", toMessage(agent)),
    l10n.t("{0} accepted so far.", ahead?.accepted ?? 0),
    ...(stopAt.length > 0 ? [l10n.t("Waiting for you: {0}", toMessage(stopAt.join(", ")))] : []),
  ].join(" ");
}
