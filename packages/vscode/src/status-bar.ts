import * as vscode from "vscode";
import type { Status } from "./status-text.ts";
import { toStatusText } from "./status-text.ts";

export interface StatusBar extends vscode.Disposable {
  /** @param details markdown, a line each */
  show(status: Status, details: readonly string[]): void;
}

/** The entry in the status bar: who is connected, what waits; a click opens the menu. */
export function createStatusBar(): StatusBar {
  const { l10n } = vscode;
  const item = vscode.window.createStatusBarItem("status", vscode.StatusBarAlignment.Right, 100);
  item.name = "IDE Companion";
  const words = {
    none: l10n.t("No agent"),
    failed: l10n.t("No companion"),
    paused: l10n.t("Sharing paused"),
    waiting: (count: number) =>
      count === 1 ? l10n.t("1 change to review") : l10n.t("{0} changes to review", count),
  };
  return {
    show(status, details) {
      item.text = toStatusText(status, words);
      item.tooltip = new vscode.MarkdownString(["**IDE Companion**", ...details].join("\n\n"));
      item.accessibilityInformation = {
        label: `IDE Companion: ${item.text.replaceAll(/\$\([^)]*\) /g, "")}`,
      };
      item.command = status.waiting > 0 ? "ideCompanion.review" : "ideCompanion.menu";
      item.backgroundColor = toBackground(status);
      item.show();
    },
    dispose: () => item.dispose(),
  };
}

function toBackground({ failure, waiting }: Status): vscode.ThemeColor | undefined {
  if (failure !== undefined) return new vscode.ThemeColor("statusBarItem.errorBackground");
  if (waiting > 0) return new vscode.ThemeColor("statusBarItem.warningBackground");
  return undefined;
}
