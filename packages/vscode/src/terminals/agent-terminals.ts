import { existsSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, relative, sep } from "node:path";
import { type Agent, agents, type Companion, type Range } from "ide-companion";
import { isInContainer, toLoopbackEnv } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { toMessage } from "../plain-text.ts";
import { section, settings } from "../workspace.ts";

/** How long the status bar says where a reference went, in milliseconds. */
const messageTime = 5000;

/** A terminal in which a CLI runs, or in which one that we started has ended. */
interface AgentTerminal {
  readonly terminal: vscode.Terminal;
  /** Absolute path of the folder that it was started in; undefined when unknown. */
  readonly folder: string | undefined;
  /** The agent that we opened it for; absent in a terminal that the user opened. */
  readonly agent?: Agent;
  /** The shell waits for a command. */
  isIdle: boolean;
}

export interface TerminalsOptions extends Pick<Companion, "mention"> {
  /** Variables for terminals. */
  readonly env: () => Readonly<Record<string, string>>;
}

/** Registers the commands that start CLIs in terminals and point agents to files. */
export function registerTerminals({ env, mention }: TerminalsOptions): vscode.Disposable {
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
    // Theia loses text that is sent before the shell has started.
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
    if (file?.scheme !== "file") return;
    const agent = mention({ path: file.fsPath, ...(lines && { range: toRange(lines) }) });
    if (agent === undefined) type(file.fsPath, lines);
    else showReferenceOf(agent);
  }

  /** A connected agent has the reference in its prompt. It may run in a terminal of this window, or elsewhere. */
  function showReferenceOf(name: string): void {
    const entry = known.findLast(({ agent, isIdle }) => agent?.displayName === name && !isIdle);
    entry?.terminal.show();
    const sentence = vscode.l10n.t("The prompt of {0} has the reference.", toMessage(name));
    vscode.window.setStatusBarMessage(sentence, messageTime);
  }

  /** Types the reference into the terminal of the agent that was started last. */
  function type(path: string, lines: Lines | undefined): void {
    const { l10n, window } = vscode;
    const target = known.findLast(({ isIdle }) => !isIdle) ?? toAgentTerminal(window.activeTerminal);
    if (!target) {
      void window.showInformationMessage(l10n.t("No agent runs in a terminal here: start one first."));
      return;
    }
    const typed = toMention(path, target.folder, lines);
    if (typed === undefined) {
      const name = toMessage(basename(path));
      void window.showWarningMessage(l10n.t("{0} cannot be typed into a terminal.", name));
      return;
    }
    target.terminal.show();
    target.terminal.sendText(typed, false);
  }

  function noteStart({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    const entry = known.find((candidate) => candidate.terminal === terminal);
    if (entry) entry.isIdle = false;
    // The user may also start an agent by typing its command.
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

/** Asks only when several folders are open. */
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
  // A selection that ends at the start of a line does not include that line.
  const last = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
  return { first: selection.start.line + 1, last };
}

/** Lines of a file, 1-based, both included. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Whole lines. */
const toRange = ({ first, last }: Lines): Range => ({
  start: { line: first, character: 1 },
  end: { line: last + 1, character: 1 },
});

/**
 * The text that points a CLI to a file: `@src/main.ts `, relative to the folder that the CLI runs in.
 * @param lines become words, because no CLI has a syntax for them
 * @returns undefined for a name with control characters, which would press keys in the terminal
 */
export function toMention(path: string, folder: string | undefined, lines?: Lines): string | undefined {
  if (/\p{Cc}/u.test(path)) return undefined;
  const inside = folder === undefined ? path : relative(folder, path);
  const isInside = !inside.startsWith("..") && !isAbsolute(inside);
  const name = (isInside ? inside : path).split(sep).join("/");
  // An unescaped blank ends a mention.
  const mention = `@${name.replace(/[\s\\]/g, "\\$&")}`;
  if (lines === undefined) return `${mention} `;
  const which = lines.first === lines.last ? `line ${lines.first}` : `lines ${lines.first}-${lines.last}`;
  return `${mention} (${which}) `;
}

/** The variables with which a CLI in a terminal of this window finds this window, and no other. */
export function terminalVariables(companion: Companion): Readonly<Record<string, string>> {
  // The terminal is in the same container as the companion.
  const container = isInContainer() ? agents.map(({ containerEnv }) => containerEnv) : [];
  return Object.assign({}, toLoopbackEnv(process.env), ...container, companion.env);
}

/** Sets them for new terminals. They contain a token, so VS Code must not persist them. */
export function setTerminalVariables(
  collection: vscode.EnvironmentVariableCollection,
  companion: Companion,
): void {
  collection.persistent = false;
  collection.description = vscode.l10n.t("Lets agent CLIs find this window");
  for (const [name, value] of Object.entries(terminalVariables(companion))) collection.replace(name, value);
}

/** Exit codes of a POSIX shell and of cmd.exe for a program that does not exist. */
const noSuchProgram = [127, 9009];

/**
 * Whether a command line has failed because its program is not installed. PowerShell's exit code for that is 1, as for
 * any failure, so on Windows the PATH decides.
 * @param exitCode undefined when the shell reports none
 */
function isNotFound(commandLine: string, exitCode: number | undefined): boolean {
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
async function offerInstallation(
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
async function offerStart({ displayName }: Agent, start: () => Promise<void>): Promise<void> {
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
