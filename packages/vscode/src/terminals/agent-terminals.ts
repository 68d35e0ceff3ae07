import { basename } from "node:path";
import { type Agent, agents } from "ide-companion";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import { settings } from "../settings.ts";
import { type Lines, toMention } from "./mention.ts";

/** A terminal in which a CLI runs. */
interface AgentTerminal {
  readonly terminal: vscode.Terminal;
  /** Absolute path of the folder that it was started in, as far as we know. */
  readonly folder: string | undefined;
}

/** Starts CLIs in terminals of VS Code and points them to files. */
export function registerTerminals(env: () => Readonly<Record<string, string>>): vscode.Disposable {
  /** Newest last. */
  let running: AgentTerminal[] = [];

  async function start(agent: Agent): Promise<void> {
    const folder = await pickFolder();
    if (folder === undefined && (vscode.workspace.workspaceFolders?.length ?? 0) > 1) return;
    const terminal = vscode.window.createTerminal({
      name: agent.displayName,
      iconPath: new vscode.ThemeIcon("sparkle"),
      env: { ...env() },
      isTransient: true,
      ...(folder && { cwd: folder.uri }),
    });
    terminal.show();
    running.push({ terminal, folder: folder?.uri.fsPath });
    // Theia loses what is sent before the shell is there.
    await terminal.processId;
    terminal.sendText(settings.commandOf(agent.name, agent.command));
  }

  function send(uri: vscode.Uri | undefined, lines?: Lines): void {
    const file = uri ?? vscode.window.activeTextEditor?.document.uri;
    const target = running.at(-1) ?? toAgentTerminal(vscode.window.activeTerminal);
    if (file?.scheme !== "file") return;
    const { l10n, window } = vscode;
    if (!target) {
      void window.showInformationMessage(l10n.t("No agent runs in a terminal here: start one first."));
      return;
    }
    const mention = toMention(file.fsPath, target.folder, lines);
    if (mention === undefined) {
      const name = toMessage(basename(file.fsPath));
      void window.showWarningMessage(l10n.t("{0} cannot be typed into a terminal.", name));
      return;
    }
    target.terminal.show();
    target.terminal.sendText(mention, false);
  }

  return vscode.Disposable.from(
    ...agents.map((agent) =>
      vscode.commands.registerCommand(`ideCompanion.run.${agent.name}`, () => start(agent)),
    ),
    vscode.commands.registerCommand("ideCompanion.sendFile", (uri: unknown) =>
      send(uri instanceof vscode.Uri ? uri : undefined),
    ),
    vscode.commands.registerCommand("ideCompanion.sendSelection", () => send(undefined, selectedLines())),
    vscode.window.onDidCloseTerminal((closed) => {
      running = running.filter(({ terminal }) => terminal !== closed);
    }),
    // Whoever types the command's name in a terminal has an agent there as well.
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      const [program] = execution.commandLine.value.trim().split(/\s/, 1);
      const isAgent = agents.some(({ command }) => command === program);
      if (!isAgent || running.some((known) => known.terminal === terminal)) return;
      running.push({ terminal, folder: execution.cwd?.fsPath });
    }),
    vscode.window.onDidEndTerminalShellExecution(({ terminal, execution }) => {
      const [program] = execution.commandLine.value.trim().split(/\s/, 1);
      if (agents.some(({ command }) => command === program)) {
        running = running.filter((known) => known.terminal !== terminal);
      }
    }),
  );
}

/** Asks only when there are several. */
async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length <= 1) return folders[0];
  const placeHolder = vscode.l10n.t("The folder in which the agent works");
  return vscode.window.showWorkspaceFolderPick({ placeHolder });
}

function toAgentTerminal(terminal: vscode.Terminal | undefined): AgentTerminal | undefined {
  return terminal && { terminal, folder: terminal.shellIntegration?.cwd?.fsPath };
}

function selectedLines(): Lines | undefined {
  const selection = vscode.window.activeTextEditor?.selection;
  if (!selection || selection.isEmpty) return undefined;
  // A selection that ends before the first character of a line does not hold that line.
  const last = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  return { first: selection.start.line + 1, last };
}
