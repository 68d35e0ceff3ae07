import { existsSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { type Agent, agents, type Companion } from "ide-companion";
import { isInContainer, toLoopbackEnv } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n, window, workspace } from "vscode";
import { onCommand } from "../commands.ts";
import { inform, offer } from "../messages.ts";
import { section, settings } from "../workspace.ts";

/** A terminal in which a CLI runs, or in which one that we started has ended. */
interface AgentTerminal {
  readonly terminal: vscode.Terminal;
  /** Absolute path of the folder that it was started in; undefined when unknown. */
  readonly folder: string | undefined;
  /** The agent that we opened it for; absent in a terminal that the user opened. */
  readonly agent?: Agent;
  state: State;
}

/**
 * What a shell does: it waits for a command, has got an agent's command from us, or runs an agent or another program.
 * One without shell integration reports none of it, so after our command nobody knows whether the agent still runs.
 */
type State = "idle" | "asked" | "agent" | "other";

/** The terminals of this window in which agents run, as far as it is known, and the commands that start them there. */
export class AgentTerminals implements vscode.Disposable {
  readonly #env: () => Readonly<Record<string, string>>;
  readonly #subscriptions: vscode.Disposable;
  /** Newest last. */
  #known: AgentTerminal[] = [];

  /** @param env variables for terminals */
  constructor(env: () => Readonly<Record<string, string>>) {
    this.#env = env;
    this.#subscriptions = vscode.Disposable.from(
      ...agents.map((agent) => onCommand(`run.${agent.name}`, () => this.#start(agent))),
      window.onDidCloseTerminal((terminal) => this.#forget(terminal)),
      window.onDidStartTerminalShellExecution((event) => this.#noteStart(event)),
      window.onDidEndTerminalShellExecution((event) => this.#noteEnd(event)),
    );
    offerInstalled();
  }

  /** An agent runs in one of them. */
  get isRunning(): boolean {
    return this.#findRunning(true) !== undefined;
  }

  /** Shows the terminal of an agent that was started by our command. @param name of the agent, for people */
  showOf(name: string): void {
    const isIts = ({ agent, state }: AgentTerminal) =>
      agent?.displayName === name && (state === "asked" || state === "agent");
    this.#known.findLast(isIts)?.terminal.show();
  }

  /**
   * Types a text into the terminal of the agent that was started last, as a paste and without Enter.
   * @param toText the text in that folder; undefined when it cannot be typed
   * @param options `isSafe` for a text that does no harm in a shell either: then a terminal that does not report whether
   * the agent still runs takes it too, or else the active terminal, as keys
   * @returns whether there is such a terminal, and a text
   */
  type(
    toText: (folder: string | undefined) => string | undefined,
    { isSafe }: { readonly isSafe: boolean },
  ): boolean {
    const running = this.#findRunning(isSafe);
    const terminal = running?.terminal ?? (isSafe ? window.activeTerminal : undefined);
    if (!terminal) return false;
    const text = toText(running ? running.folder : terminal.shellIntegration?.cwd?.fsPath);
    if (text === undefined) return false;
    terminal.show();
    // Agents take a paste as text: a line end in it sends nothing, and a letter in it answers no question.
    terminal.sendText(running ? `\x1b[200~${text}\x1b[201~` : text, false);
    return true;
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  async #start(agent: Agent): Promise<void> {
    const folder = await pickFolder();
    if (folder === undefined && (workspace.workspaceFolders?.length ?? 0) > 1) return;
    const isIts = (entry: AgentTerminal) => entry.agent === agent && entry.folder === folder?.uri.fsPath;
    const idle = this.#known.findLast((entry) => isIts(entry) && entry.state === "idle");
    const entry = idle ?? this.#open(agent, folder);
    entry.state = "asked";
    entry.terminal.show();
    // Theia loses text that is sent before the shell has started.
    await entry.terminal.processId;
    entry.terminal.sendText(settings.commandOf(agent.name, agent.command));
  }

  #open(agent: Agent, folder: vscode.WorkspaceFolder | undefined): AgentTerminal {
    const terminal = window.createTerminal({
      name: agent.displayName,
      iconPath: new vscode.ThemeIcon("sparkle"),
      env: { ...this.#env() },
      isTransient: true,
      ...(settings.terminalNextToEditor && { location: { viewColumn: vscode.ViewColumn.Beside } }),
      ...(folder && { cwd: folder.uri }),
    });
    const entry = { terminal, folder: folder?.uri.fsPath, agent, state: "asked" as const };
    this.#known.push(entry);
    return entry;
  }

  /** @param isSafe whether it matters little if the agent has ended unseen */
  #findRunning(isSafe: boolean): AgentTerminal | undefined {
    return this.#known.findLast(({ state }) => state === "agent" || (isSafe && state === "asked"));
  }

  #forget(terminal: vscode.Terminal): void {
    this.#known = this.#known.filter((entry) => entry.terminal !== terminal);
  }

  #noteStart({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    const entry = this.#known.find((candidate) => candidate.terminal === terminal);
    const isAgent = isAgentCommand(execution.commandLine.value);
    if (entry) entry.state = isAgent ? "agent" : "other";
    // The user may also start an agent by typing its command.
    else if (isAgent) this.#known.push({ terminal, folder: execution.cwd?.fsPath, state: "agent" });
  }

  #noteEnd({ terminal, execution, exitCode }: vscode.TerminalShellExecutionEndEvent): void {
    const entry = this.#known.find((candidate) => candidate.terminal === terminal);
    if (!entry) return;
    const { agent } = entry;
    if (!agent) {
      this.#forget(terminal);
      return;
    }
    entry.state = "idle";
    offerInstalled();
    const commandLine = execution.commandLine.value.trim();
    const again = () => this.#start(agent);
    const { displayName } = agent;
    if (commandLine === agent.installCommand && exitCode === 0)
      void offer(l10n.t("{0} is installed.", displayName), l10n.t("Run {0}", displayName), again);
    const own = settings.commandOf(agent.name, agent.command);
    if (commandLine === own && isNotFound(own, exitCode)) void offerInstallation(agent, terminal, again);
  }
}

/** Whether a command line starts an agent, by its usual command or by the user's. */
function isAgentCommand(commandLine: string): boolean {
  const line = `${commandLine.trim()} `;
  return agents.some(({ name, command }) =>
    [command, settings.commandOf(name, command)].some((own) => line.startsWith(`${own.trim()} `)),
  );
}

/** Asks only when several folders are open. */
async function pickFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length <= 1) return folders[0];
  const placeHolder = l10n.t("The folder in which the agent works");
  return window.showWorkspaceFolderPick({ placeHolder });
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
  collection.description = l10n.t("Lets agent CLIs find this window");
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

/** Whether the PATH of this window has the agent's program. */
export const isInstalled = ({ name, command }: Agent): boolean => isInPath(settings.commandOf(name, command));

/** The empty view has a button for each agent that is installed. */
function offerInstalled(): void {
  const set = (name: string, value: boolean) =>
    commands.executeCommand("setContext", `ideCompanion.installed${name}`, value);
  set("", agents.some(isInstalled));
  for (const agent of agents) set(`.${agent.name}`, isInstalled(agent));
}

function isInPath(commandLine: string): boolean {
  const [program = ""] = commandLine.trim().split(/\s/, 1);
  const endings = ["", ...(process.env.PATHEXT ?? "").split(";")];
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => endings.some((ending) => existsSync(resolve(folder, program + ending))));
}

/** Offers to install a missing CLI in that terminal, or to set its path. */
async function offerInstallation(
  agent: Agent,
  terminal: vscode.Terminal,
  again: () => Promise<void>,
): Promise<void> {
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
    inform(l10n.t("Press Enter in the terminal to install {0}.", agent.displayName));
  }
  if (answer === setPath && (await askForCommand(agent))) await again();
}

/** @returns whether the user has entered a command */
async function askForCommand({ name, displayName, command }: Agent): Promise<boolean> {
  const answer = await window.showInputBox({
    title: l10n.t("The command line that starts {0}", displayName),
    value: settings.commandOf(name, command),
    ignoreFocusOut: true,
  });
  if (!answer?.trim()) return false;
  const configuration = workspace.getConfiguration(section);
  await configuration.update(`${name}.command`, answer.trim(), vscode.ConfigurationTarget.Global);
  return true;
}
