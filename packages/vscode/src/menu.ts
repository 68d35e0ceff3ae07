import { agents } from "ide-companion";
import type { Sharing } from "ide-companion/editor-kit";
import * as vscode from "vscode";

/** Registers the menu that a click on the status bar opens, and its commands. */
export function registerMenu(sharing: Sharing, log: vscode.LogOutputChannel): vscode.Disposable {
  const { commands, l10n, window } = vscode;
  const run = (command: string) => () => commands.executeCommand(command);
  const items = () => [
    { label: `$(diff) ${l10n.t("Go to a change that waits")}`, act: run("ideCompanion.review") },
    ...agents.map(({ name, displayName }) => ({
      label: `$(terminal) ${l10n.t("Run {0}", displayName)}`,
      act: run(`ideCompanion.run.${name}`),
    })),
    { label: `$(history) ${l10n.t("Show recovered edits")}`, act: run("ideCompanion.recoveredEdits") },
    sharing.isPaused
      ? { label: `$(eye) ${l10n.t("Resume sharing")}`, act: run("ideCompanion.resumeSharing") }
      : {
          label: `$(eye-closed) ${l10n.t("Pause sharing")}`,
          act: run("ideCompanion.pauseSharing"),
        },
    {
      label: `$(gear) ${l10n.t("Settings")}`,
      act: () => commands.executeCommand("workbench.action.openSettings", "ideCompanion"),
    },
    { label: `$(output) ${l10n.t("Show the log")}`, act: run("ideCompanion.showLog") },
  ];
  return vscode.Disposable.from(
    commands.registerCommand("ideCompanion.menu", async () => {
      const chosen = await window.showQuickPick(items(), { placeHolder: "IDE Companion" });
      await chosen?.act();
    }),
    commands.registerCommand("ideCompanion.pauseSharing", () => pause(sharing, true)),
    commands.registerCommand("ideCompanion.resumeSharing", () => pause(sharing, false)),
    commands.registerCommand("ideCompanion.showLog", () => log.show()),
  );
}

function pause(sharing: Sharing, isPaused: boolean): void {
  try {
    sharing.pause(isPaused);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const { l10n, window } = vscode;
    void window.showWarningMessage(l10n.t("This is not remembered for the next start: {0}", reason));
  }
}
