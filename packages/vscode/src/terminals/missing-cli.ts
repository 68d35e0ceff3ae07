import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Agent } from "ide-companion";
import * as vscode from "vscode";
import { section, settings } from "../workspace.ts";

/** Exit codes of a POSIX shell and of cmd.exe for a program that does not exist. */
const noSuchProgram = [127, 9009];

/**
 * Whether a command line has failed because its program is not installed. PowerShell's exit code for that is 1, as for
 * any failure, so on Windows the PATH decides.
 * @param exitCode undefined when the shell reports none
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

/** Offers to install a missing CLI in that terminal, or to set its path. */
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
    // The user presses Enter.
    terminal.sendText(agent.installCommand, false);
    void window.showInformationMessage(
      l10n.t("Press Enter in the terminal to install {0}.", agent.displayName),
    );
  }
  if (answer === setPath && (await askForCommand(agent))) await again();
}

/** Offers to start a CLI that has just been installed. */
export async function offerStart({ displayName }: Agent, start: () => Promise<void>): Promise<void> {
  const { l10n, window } = vscode;
  const run = l10n.t("Run {0}", displayName);
  const message = l10n.t("{0} is installed.", displayName);
  if ((await window.showInformationMessage(message, run)) === run) await start();
}

/** @returns whether the user has entered a command */
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
