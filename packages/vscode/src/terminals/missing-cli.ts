import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Agent } from "ide-companion";
import * as vscode from "vscode";
import { section, settings } from "../settings.ts";

/** What a POSIX shell and Windows' own one answer when there is no such program. */
const noSuchProgram = [127, 9009];

/**
 * Whether a command line has failed because its program is not installed. PowerShell answers 1 to that, as programs do.
 * @param exitCode undefined when the shell gives none
 */
export function isNotFound(commandLine: string, exitCode: number | undefined): boolean {
  if (exitCode === undefined || exitCode === 0) return false;
  return noSuchProgram.includes(exitCode) || (process.platform === "win32" && !isInPath(commandLine));
}

function isInPath(commandLine: string): boolean {
  const [program = ""] = commandLine.trim().split(/\s/, 1);
  const endings = ["", ...(process.env.PATHEXT ?? "").split(";")];
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => endings.some((ending) => existsSync(join(folder, program + ending))));
}

/** The CLI is not there: the user can install it in that terminal, or say where it is. */
export async function offerInstallation(
  agent: Agent,
  terminal: vscode.Terminal,
  again: () => Promise<void>,
): Promise<void> {
  const { l10n, window } = vscode;
  const [install, setPath] = [l10n.t("Install…"), l10n.t("Set its path…")];
  const message = l10n.t(
    "The terminal does not find {1}: {0} is not installed, or not in the PATH.",
    agent.displayName,
    settings.commandOf(agent.name, agent.command),
  );
  const answer = await window.showWarningMessage(message, install, setPath);
  if (answer === install) {
    terminal.show();
    // Without Enter: that is the user's to press.
    terminal.sendText(agent.installCommand, false);
    void window.showInformationMessage(
      l10n.t("Press Enter in the terminal to install {0}.", agent.displayName),
    );
  }
  if (answer === setPath && (await askForCommand(agent))) await again();
}

/** It is installed now. */
export async function offerStart({ displayName }: Agent, start: () => Promise<void>): Promise<void> {
  const { l10n, window } = vscode;
  const run = l10n.t("Run {0}", displayName);
  const message = l10n.t("{0} is installed.", displayName);
  if ((await window.showInformationMessage(message, run)) === run) await start();
}

/** @returns whether the user has given one */
async function askForCommand({ name, displayName, command }: Agent): Promise<boolean> {
  const answer = await vscode.window.showInputBox({
    title: vscode.l10n.t("The command line that starts {0}", displayName),
    value: settings.commandOf(name, command),
    ignoreFocusOut: true,
  });
  if (!answer?.trim()) return false;
  const configuration = vscode.workspace.getConfiguration(section);
  await configuration.update(`${name}.command`, answer.trim(), vscode.ConfigurationTarget.Global);
  return true;
}
