import { type Agent, agents, type Companion } from "ide-companion";
import {
  messageOf,
  type ReviewSwitch,
  reviewModeMeanings,
  reviewModes,
  type Sharing,
} from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n, window } from "vscode";
import { onCommand } from "./commands.ts";
import { toMarkdown } from "./plain-text.ts";
import { isInstalled } from "./terminals/agent-terminals.ts";
import { say } from "./wording.ts";

/** What the status bar shows. */
export interface Status {
  /** Why the companion has not started. */
  readonly failure?: string;
  readonly isPaused: boolean;
  /** Names of the connected agents, oldest first. */
  readonly agents: readonly string[];
  /** Changes that wait for a decision. */
  readonly waiting: number;
}

/** The entry in the status bar: connected agents and waiting changes. A click opens the menu. */
export function createStatusBar() {
  const item = window.createStatusBarItem("status", vscode.StatusBarAlignment.Right, 100);
  item.name = "IDE Companion";
  return {
    /** @param details Markdown, one line each */
    show(status: Status, details: readonly string[]) {
      item.text = toStatusText(status);
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

/** The text in the status bar, with VS Code's icons. What needs the user's attention comes first. */
export function toStatusText({ failure, isPaused, agents, waiting }: Status): string {
  if (failure !== undefined) return `$(error) ${l10n.t("No companion")}`;
  const paused = `$(eye-closed) ${l10n.t("Sharing paused")}`;
  const review = waiting === 1 ? l10n.t("1 change to review") : l10n.t("{0} changes to review", waiting);
  if (waiting > 0) return `$(diff) ${review}${isPaused ? ` ${paused}` : ""}`;
  if (isPaused) return paused;
  if (agents.length === 0) return `$(plug) ${l10n.t("No agent")}`;
  // A name must not contain an icon.
  return `$(plug) ${agents.join(", ").replaceAll("$(", "\\$(")}`;
}

function toBackground({ failure, waiting }: Status): vscode.ThemeColor | undefined {
  if (failure !== undefined) return new vscode.ThemeColor("statusBarItem.errorBackground");
  if (waiting > 0) return new vscode.ThemeColor("statusBarItem.warningBackground");
  return undefined;
}

/** The lines of the status bar's tooltip, as Markdown. */
export function toDetails(
  { status, port }: Pick<Companion, "status" | "port">,
  isPaused: boolean,
): readonly string[] {
  const agents = status.sessions.map(({ agent }) => `- ${toMarkdown(agent)}`);
  return [
    agents.length === 0
      ? l10n.t("No agent is connected. Start one in a terminal here, or connect it by its command /ide.")
      : agents.join("\n"),
    ...(agents.length === 0 ? [] : [describeShared(status.sent.files.length, isPaused)]),
    l10n.t("Port {0}", port),
  ];
}

function describeShared(count: number, isPaused: boolean): string {
  if (isPaused) return l10n.t("Sharing is paused: the agents receive no files.");
  return count === 1 ? l10n.t("1 open file is shared.") : l10n.t("{0} open files are shared.", count);
}

/** @returns a function that sets values for the `when` clauses of the manifest, where they have changed */
export function createWhenKeys(): (keys: Readonly<Record<string, unknown>>) => void {
  const last = new Map<string, unknown>();
  return (keys) => {
    for (const [name, value] of Object.entries(keys)) {
      if (last.get(name) === value) continue;
      last.set(name, value);
      void commands.executeCommand("setContext", `ideCompanion.${name}`, value);
    }
  };
}

/** When the user looks at what agents write, as VS Code shows it. */
const modeNames = () => {
  return { before: l10n.t("Before"), after: l10n.t("After"), off: l10n.t("Off") };
};

const modesIn = ({ counting }: ReviewSwitch) => counting.map(({ mode }) => modeNames()[mode]).join(", ");

/** Lets the user choose when they look at what agents write. What counts is marked. @throws Error with a sentence */
export async function chooseReviewMode(reviewSwitch: ReviewSwitch): Promise<void> {
  const { counting } = reviewSwitch;
  const names = modeNames();
  const items = reviewModes.map((mode) => {
    const counts = counting.find((one) => one.mode === mode);
    return {
      label: `$(${counts ? "check" : "blank"}) ${names[mode]}`,
      description: l10n.t("Each agent {0}.", say(reviewModeMeanings[mode])),
      ...(counts && counting.length > 1 && { detail: counts.agents.join(", ") }),
      mode,
    };
  });
  const placeHolder = l10n.t("Review what agents write in this folder");
  const chosen = await window.showQuickPick(items, { placeHolder });
  if (chosen) reviewSwitch.set(chosen.mode);
}

/**
 * Registers the menu that a click on the status bar opens, and its commands.
 * @param waits whether a change waits for a decision
 */
export function registerMenu(
  sharing: Sharing,
  reviewSwitch: ReviewSwitch,
  log: vscode.LogOutputChannel,
  waits: () => boolean,
): vscode.Disposable {
  const entry = (icon: string, label: string, command: string) => ({
    label: `$(${icon}) ${label}`,
    act: () => commands.executeCommand(`ideCompanion.${command}`),
  });
  const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, act: undefined });
  const toRun = ({ name, displayName }: Agent) =>
    entry("terminal", l10n.t("Run {0}", displayName), `run.${name}`);
  const items = () => [
    ...(waits() ? [entry("diff", l10n.t("Go to a change that waits"), "review")] : []),
    ...agents.filter(isInstalled).map(toRun),
    separator(l10n.t("Not in the PATH")),
    ...agents.filter((agent) => !isInstalled(agent)).map(toRun),
    separator(""),
    entry("send", l10n.t("Send this file to an agent"), "sendFile"),
    entry("send", l10n.t("Send a text to an agent"), "sendText"),
    separator(""),
    entry("checklist", l10n.t("Review what agents write: {0}", modesIn(reviewSwitch)), "reviewMode"),
    entry("history", l10n.t("Show the history"), "history"),
    entry("comment", l10n.t("Show comments that wait"), "waitingComments"),
    entry("edit", l10n.t("Show recovered edits"), "recoveredEdits"),
    sharing.isPaused
      ? entry("eye", l10n.t("Resume sharing"), "resumeSharing")
      : entry("eye-closed", l10n.t("Pause sharing"), "pauseSharing"),
    {
      label: `$(gear) ${l10n.t("Settings")}`,
      act: () => commands.executeCommand("workbench.action.openSettings", "ideCompanion"),
    },
    entry("output", l10n.t("Show the log"), "showLog"),
  ];
  return vscode.Disposable.from(
    onCommand("menu", async () => {
      const chosen = await window.showQuickPick(items(), { placeHolder: "IDE Companion" });
      await chosen?.act?.();
    }),
    onCommand("reviewMode", () => chooseReviewMode(reviewSwitch)),
    onCommand("pauseSharing", () => pause(sharing, true)),
    onCommand("resumeSharing", () => pause(sharing, false)),
    onCommand("showLog", () => log.show()),
  );
}

/** @throws Error with a sentence */
function pause(sharing: Sharing, isPaused: boolean): void {
  try {
    sharing.pause(isPaused);
  } catch (error) {
    throw new Error(l10n.t("This is not remembered for the next start: {0}", messageOf(error)));
  }
}
