import { basename } from "node:path";
import { type Agent, agents } from "ide-companion";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import { settings } from "../settings.ts";
import { type Lines, toMention } from "./mention.ts";
import { isNotFound, offerInstallation, offerStart } from "./missing-cli.ts";

/** A terminal in which a CLI runs, or was started by us and has ended. */
interface AgentTerminal {
  readonly terminal: vscode.Terminal;
  /** Absolute path of the folder that it was started in, as far as we know. */
  readonly folder: string | undefined;
  /** The agent that we have opened it for; none in a terminal of the user's. */
  readonly agent?: Agent;
  /** The shell waits for a command. */
  isIdle: boolean;
}

/** Starts CLIs in terminals of VS Code and points them to files. */
export function registerTerminals(env: () => Readonly<Record<string, string>>): vscode.Disposable {
  /** Newest last. */
  let known: AgentTerminal[] = [];
  const forget = (terminal: vscode.Terminal) => {
    known = known.filter((entry) => entry.terminal !== terminal);
  };

  async function start(agent: Agent): Promise<void> {
    const folder = await pickFolder();
    if (folder === undefined && (vscode.workspace.workspaceFolders?.length ?? 0) > 1) return;
    const entry = findIdle(agent, folder?.uri.fsPath) ?? open(agent, folder);
    entry.isIdle = false;
    entry.terminal.show();
    // Theia loses what is sent before the shell is there.
    await entry.terminal.processId;
    entry.terminal.sendText(settings.commandOf(agent.name, agent.command));
  }

  const findIdle = (agent: Agent, folder: string | undefined): AgentTerminal | undefined =>
    known.findLast((entry) => entry.agent === agent && entry.folder === folder && entry.isIdle);

  function open(agent: Agent, folder: vscode.WorkspaceFolder | undefined): AgentTerminal {
    const terminal = vscode.window.createTerminal({
      name: agent.displayName,
      iconPath: new vscode.ThemeIcon("sparkle"),
      env: { ...env() },
      isTransient: true,
      ...(folder && { cwd: folder.uri }),
    });
    const entry = { terminal, folder: folder?.uri.fsPath, agent, isIdle: false };
    known.push(entry);
    return entry;
  }

  function send(uri: vscode.Uri | undefined, lines?: Lines): void {
    const file = uri ?? vscode.window.activeTextEditor?.document.uri;
    const target = known.findLast(({ isIdle }) => !isIdle) ?? toAgentTerminal(vscode.window.activeTerminal);
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

  function noteStart({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    const entry = known.find((candidate) => candidate.terminal === terminal);
    if (entry) entry.isIdle = false;
    // Whoever types the command's name in a terminal has an agent there as well.
    else if (isAgentCommand(execution.commandLine.value))
      known.push({ terminal, folder: execution.cwd?.fsPath, isIdle: false });
  }

  function noteEnd({ terminal, execution, exitCode }: vscode.TerminalShellExecutionEndEvent): void {
    const entry = known.find((candidate) => candidate.terminal === terminal);
    if (!entry) return;
    const { agent } = entry;
    if (!agent) {
      forget(terminal);
      return;
    }
    entry.isIdle = true;
    const commandLine = execution.commandLine.value.trim();
    const again = () => start(agent);
    if (commandLine === agent.installCommand && exitCode === 0) void offerStart(agent, again);
    const own = settings.commandOf(agent.name, agent.command);
    if (commandLine === own && isNotFound(own, exitCode)) void offerInstallation(agent, terminal, again);
  }

  return vscode.Disposable.from(
    ...agents.map((agent) =>
      vscode.commands.registerCommand(`ideCompanion.run.${agent.name}`, () => start(agent)),
    ),
    vscode.commands.registerCommand("ideCompanion.sendFile", (uri: unknown) =>
      send(uri instanceof vscode.Uri ? uri : undefined),
    ),
    vscode.commands.registerCommand("ideCompanion.sendSelection", () => send(undefined, selectedLines())),
    vscode.window.onDidCloseTerminal(forget),
    vscode.window.onDidStartTerminalShellExecution(noteStart),
    vscode.window.onDidEndTerminalShellExecution(noteEnd),
  );
}

function isAgentCommand(commandLine: string): boolean {
  const [program] = commandLine.trim().split(/\s/, 1);
  return agents.some(({ command }) => command === program);
}

/** Asks only when there are several. */
async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length <= 1) return folders[0];
  const placeHolder = vscode.l10n.t("The folder in which the agent works");
  return vscode.window.showWorkspaceFolderPick({ placeHolder });
}

function toAgentTerminal(
  terminal: vscode.Terminal | undefined,
): Pick<AgentTerminal, "terminal" | "folder"> | undefined {
  return terminal && { terminal, folder: terminal.shellIntegration?.cwd?.fsPath };
}

function selectedLines(): Lines | undefined {
  const selection = vscode.window.activeTextEditor?.selection;
  if (!selection || selection.isEmpty) return undefined;
  // A selection that ends before the first character of a line does not hold that line.
  const last = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  return { first: selection.start.line + 1, last };
}
