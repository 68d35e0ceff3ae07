import type { Companion } from "ide-companion";
import { createSharing, messageOf, ReviewSwitch, systemHost } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { createCapabilities } from "./capabilities.ts";
import { createContextSource } from "./context/context-source.ts";
import { showAcceptingAhead } from "./diffs/accepting-ahead.ts";
import { ProposalComments } from "./diffs/comments.ts";
import { createDecisions } from "./diffs/decisions.ts";
import { registerDiffCommands } from "./diffs/diff-commands.ts";
import { createHistory } from "./diffs/history.ts";
import { provideLenses } from "./diffs/hunk-lenses.ts";
import { ProposalDocuments } from "./diffs/proposal-documents.ts";
import {
  activeProposedSide,
  closeTabs,
  ourTabs,
  ProposalViews,
  watchTyping,
} from "./diffs/proposal-views.ts";
import { Proposals } from "./diffs/proposals.ts";
import { RecoveredEditsUi } from "./diffs/recovered-edits.ts";
import { UnsavedEdits } from "./diffs/unsaved-edits.ts";
import { WaitingComments } from "./diffs/waiting-comments.ts";
import { WaitingGroups } from "./diffs/waiting-groups.ts";
import { createWaitingView } from "./diffs/waiting-view.ts";
import { WrittenChanges } from "./diffs/written-changes.ts";
import { warnOfFile, watchNeighbours } from "./notifications.ts";
import { createStatusBar, createWhenKeys, registerMenu, toDetails } from "./status-bar.ts";
import { AgentTerminals, setTerminalVariables, terminalVariables } from "./terminals/agent-terminals.ts";
import { registerSending } from "./terminals/sending.ts";
import { startWindowCompanion } from "./window-companion.ts";
import { openRoots, section, settings } from "./workspace.ts";

/** One window of VS Code with its companion. */
export type Window = Awaited<ReturnType<typeof openWindow>>;

/** The parts of a window that exist before its companion. */
type Parts = ReturnType<typeof createParts>;

/** Creates the parts and starts the companion. Never rejects: the status bar shows a failure. */
export async function openWindow(context: vscode.ExtensionContext) {
  const began = performance.now();
  // Nobody can decide these proposals: the extension host that opened them has ended.
  void closeTabs(ourTabs());
  const parts = createParts(context);
  const { log, edits, comments, history, unsaved } = parts;
  let hasEnded = false;
  try {
    const { companion, close } = await startWindowCompanion({
      ...parts,
      onEvent(event) {
        if (hasEnded) return;
        edits.handle(event);
        comments.handle(event);
        history.handle(event);
        unsaved.handle(event);
        warnOfFile(event);
      },
    });
    edits.attach(companion.edits);
    comments.attach(companion);
    history.attach(companion);
    parts.groups.attach(companion.turns);
    setTerminalVariables(context.environmentVariableCollection, companion);
    const terminals = new AgentTerminals(() => terminalVariables(companion));
    context.subscriptions.push(
      terminals,
      registerSending({
        terminals,
        send: (message) => companion.send(message),
        isConnected: () => companion.status.sessions.length > 0,
      }),
      watchNeighbours(context.globalState),
    );
    const status = showStatus(parts, companion);
    log.info(`ready after ${Math.round(performance.now() - began)} ms`);
    return {
      async close() {
        hasEnded = true;
        vscode.Disposable.from(status, edits, comments).dispose();
        await close();
      },
    };
  } catch (error) {
    const failure = messageOf(error);
    log.error(failure);
    const statusBar = createStatusBar();
    statusBar.show({ failure, isPaused: false, agents: [], waiting: 0 }, [failure]);
    context.subscriptions.push(statusBar);
    return { close: async () => {} };
  }
}

function createParts(context: vscode.ExtensionContext) {
  const log = vscode.window.createOutputChannel("IDE Companion", { log: true });
  const typing = watchTyping();
  // The left side of a diff without a file is empty.
  const isReadOnly = (uri: vscode.Uri) => proposals.at(uri)?.isReadOnly ?? false;
  const textOf = (uri: vscode.Uri) => proposals.textOf(uri);
  const documents = new ProposalDocuments({ textOf, isReadOnly });
  const views = new ProposalViews({
    typing,
    documents,
    isReadOnly,
    reveal: () => settings.showProposals,
    log: (message) => log.warn(message),
  });
  const proposals: Proposals = new Proposals(views);
  const groups = new WaitingGroups(proposals);
  const edits = new RecoveredEditsUi(context.globalState);
  const comments = new WaitingComments(context.globalState);
  const history = createHistory();
  const sharing = createSharing({
    host: systemHost(),
    roots: openRoots,
    exclude: () => settings.exclude,
    excludeGitIgnored: () => settings.excludeGitIgnored,
  });
  const source = createContextSource();
  const unsaved = new UnsavedEdits();
  const written = new WrittenChanges(unsaved, sharing);
  const capabilities = createCapabilities(() => typing.isUnderWay || activeProposedSide() !== undefined);
  context.subscriptions.push(
    ...[log, typing, documents, views, proposals, groups, edits, comments, history, source],
    ...[unsaved, written],
    provideLenses(proposals),
    new ProposalComments(proposals),
    createWaitingView(groups),
    showAcceptingAhead(groups),
    registerDiffCommands({
      ...{ proposals, views, groups, decisions: createDecisions(proposals, groups) },
      goToWritten: (step) => written.go(step),
    }),
    registerMenu(sharing, new ReviewSwitch(systemHost(), openRoots), log, () => proposals.all.length > 0),
    { dispose: sharing.close },
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(section)) sharing.refresh();
    }),
  );
  return { log, proposals, groups, edits, comments, history, unsaved, sharing, source, capabilities };
}

function showStatus({ proposals, sharing, source }: Parts, companion: Companion): vscode.Disposable {
  const statusBar = createStatusBar();
  const setKeys = createWhenKeys();
  const show = () => {
    const { isPaused } = sharing;
    const agents = companion.status.sessions.map(({ agent }) => agent);
    const waiting = proposals.all.length;
    // Perhaps one that has just been decided. VS Code knows its scheme only while it has the focus.
    const proposalInFront = activeProposedSide() !== undefined;
    setKeys({ waiting, proposalInFront, connected: agents.length > 0, sharingPaused: isPaused });
    statusBar.show({ isPaused, agents, waiting }, toDetails(companion, isPaused));
  };
  const stop = source.onContext(show);
  const { tabGroups } = vscode.window;
  show();
  return vscode.Disposable.from(
    ...[statusBar, { dispose: companion.status.onChange(show) }, proposals.onChange(show)],
    // One proposal comes up after the other, and no context changes.
    ...[tabGroups.onDidChangeTabs(show), tabGroups.onDidChangeTabGroups(show)],
    ...[{ dispose: stop }, { dispose: sharing.onChange(show) }],
  );
}
