import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { OptionalCapabilities } from "ide-companion";
import { createSharing, pidIsAlive, type Sharing, systemHost } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { createCapabilities } from "./capabilities/capabilities.ts";
import { type ContextSource, createContextSource } from "./context/context-source.ts";
import { createDecisions } from "./diffs/decisions.ts";
import { registerDiffCommands } from "./diffs/diff-commands.ts";
import { provideLenses } from "./diffs/hunk-lenses.ts";
import { ProposalDocuments } from "./diffs/proposal-documents.ts";
import { activeProposedSide, closeTabs, ourTabs } from "./diffs/proposal-tabs.ts";
import { ProposalViews } from "./diffs/proposal-views.ts";
import { Proposals } from "./diffs/proposals.ts";
import { createRecoveredEdits, type RecoveredEditsUi } from "./diffs/recovered-edits.ts";
import { watchTyping } from "./diffs/typing.ts";
import { createWaitingRecord, type WaitingRecord } from "./diffs/waiting-record.ts";
import { createWaitingView } from "./diffs/waiting-view.ts";
import { createFileResults } from "./file-results.ts";
import { registerMenu } from "./menu.ts";
import { watchNeighbours } from "./neighbours.ts";
import { toMessage } from "./plain-text.ts";
import { openRoots } from "./roots.ts";
import { section, settings } from "./settings.ts";
import { createStatusBar } from "./status-bar.ts";
import { toDetails } from "./status-details.ts";
import { registerTerminals } from "./terminals/agent-terminals.ts";
import { setTerminalVariables, terminalVariables } from "./terminals/terminal-variables.ts";
import { createWhenKeys } from "./when-keys.ts";
import { startWindowCompanion, type WindowCompanion } from "./window-companion.ts";

/** How long an agent gets to hear of its proposal's end before its connection ends too, in milliseconds. */
const farewell = 300;

/** When to look for what a window before this one has left, besides at once; in milliseconds. */
const looks = [2000, 5000, 10_000, 20_000];

/** One window of VS Code with its companion. */
export interface Window {
  close(): Promise<void>;
}

/** The parts of a window that are there before its companion is. */
interface Parts {
  readonly log: vscode.LogOutputChannel;
  readonly proposals: Proposals;
  readonly edits: RecoveredEditsUi;
  readonly sharing: Sharing;
  readonly source: ContextSource;
  readonly capabilities: OptionalCapabilities;
}

/** Puts the parts together. Never rejects: the status bar says why there is no companion. */
export async function openWindow(context: vscode.ExtensionContext): Promise<Window> {
  const began = performance.now();
  // Nobody can decide them any more: the extension host that had opened them is gone.
  void closeTabs(ourTabs());
  const record = createWaitingRecord({ folder: recordFolder(context), isAlive: pidIsAlive });
  const parts = createParts(context);
  const { log, edits, proposals } = parts;
  const recording = recordWaiting(proposals, record);
  context.subscriptions.push(announceLeft(record));
  try {
    const reportFile = createFileResults();
    const running = await startWindowCompanion({
      ...parts,
      onEvent(event) {
        edits.take(event);
        reportFile(event);
      },
    });
    edits.attach(running.companion.edits);
    setTerminalVariables(context.environmentVariableCollection, running.companion);
    context.subscriptions.push(
      registerTerminals(() => terminalVariables(running.companion)),
      watchNeighbours(context.globalState),
      showStatus(parts, running),
    );
    log.info(`ready after ${Math.round(performance.now() - began)} ms`);
    return {
      async close() {
        recording.dispose();
        edits.end();
        running.silence();
        proposals.rejectAll((open) => edits.keep(open, "The window ended before you decided."));
        await delay(farewell);
        await running.close();
      },
    };
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    log.error(failure);
    const statusBar = createStatusBar();
    statusBar.show({ failure, isPaused: false, agents: [], waiting: 0 }, [failure]);
    context.subscriptions.push(statusBar);
    return { close: async () => {} };
  }
}

function createParts(context: vscode.ExtensionContext): Parts {
  const log = vscode.window.createOutputChannel("IDE Companion", { log: true });
  const typing = watchTyping();
  // Stand-ins are empty.
  const documents = new ProposalDocuments((uri) => proposals.at(uri)?.text ?? "");
  const views = new ProposalViews({
    typing,
    documents,
    reveal: () => settings.showProposals,
    log: (message) => log.warn(message),
  });
  const proposals: Proposals = new Proposals({
    views,
    onClosedWithEdits: (open) => edits.keep(open, "You closed the change, which rejected it."),
  });
  const edits: RecoveredEditsUi = createRecoveredEdits(context.globalState);
  const sharing = createSharing({
    host: systemHost(),
    roots: openRoots,
    exclude: () => settings.exclude,
    excludeGitIgnored: () => settings.excludeGitIgnored,
  });
  const source = createContextSource();
  const capabilities = createCapabilities({
    isInUse: () => typing.isUnderWay || activeProposedSide() !== undefined,
  });
  context.subscriptions.push(
    ...[log, typing, documents, views, proposals, edits, source],
    provideLenses(proposals),
    createWaitingView(proposals),
    registerDiffCommands({ proposals, views, decisions: createDecisions(proposals) }),
    registerMenu(sharing, log),
    { dispose: sharing.close },
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(section)) sharing.refresh();
    }),
  );
  return { log, proposals, edits, sharing, source, capabilities };
}

/** Says what waited in a window that has ended; that one may still be busy with its end. */
function announceLeft(record: WaitingRecord): vscode.Disposable {
  const look = () => {
    const names = record.takeLeft();
    if (names.length === 0) return;
    const message = vscode.l10n.t(
      "The window ended before you decided about {0}: the agent can propose it again.",
      names.join(", "),
    );
    void vscode.window.showWarningMessage(toMessage(message));
  };
  look();
  const timers = looks.map((wait) => setTimeout(look, wait));
  return { dispose: () => timers.forEach(clearTimeout) };
}

/** @returns what stops it: the next window reads what was written last */
function recordWaiting(proposals: Proposals, record: WaitingRecord): vscode.Disposable {
  return proposals.onChange(() =>
    record.write(proposals.all.map(({ proposal }) => `${basename(proposal.filePath)} (${proposal.agent})`)),
  );
}

/** Where VS Code lets us keep things for this workspace, or without one for all. */
function recordFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  return join((storageUri ?? globalStorageUri).fsPath, "waiting");
}

function showStatus({ proposals, sharing, source }: Parts, running: WindowCompanion): vscode.Disposable {
  const { connectionStatus, companion } = running;
  const statusBar = createStatusBar();
  const setKeys = createWhenKeys();
  const show = () => {
    const { isPaused } = sharing;
    const agents = connectionStatus.sessions.map(({ agent }) => agent);
    const waiting = proposals.all.length;
    setKeys({ waiting, connected: agents.length > 0, sharingPaused: isPaused });
    const details = toDetails({
      connectionStatus,
      sentFiles: running.sentFiles,
      isPaused,
      port: companion.port,
    });
    statusBar.show({ isPaused, agents, waiting }, details);
  };
  const stop = source.onContext(show);
  show();
  return vscode.Disposable.from(
    ...[statusBar, running.onChange(show), proposals.onChange(show)],
    ...[{ dispose: stop }, { dispose: sharing.onChange(show) }],
  );
}
