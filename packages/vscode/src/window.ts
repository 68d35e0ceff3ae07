import { type Companion, type CompanionEvent, type Editor, startCompanion } from "ide-companion";
import { createSharing, messageOf, ReviewSwitch, systemHost, toLogLine } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { window, workspace } from "vscode";
import { openFile, readDiagnostics } from "./capabilities.ts";
import { createContextSource } from "./context/context-source.ts";
import { ProposalComments } from "./diffs/comments.ts";
import { createDecisions } from "./diffs/decisions.ts";
import { registerDiffCommands } from "./diffs/diff-commands.ts";
import { registerHistory } from "./diffs/history.ts";
import { provideLenses } from "./diffs/hunk-lenses.ts";
import { ProposalDocuments, scheme as proposalScheme } from "./diffs/proposal-documents.ts";
import {
  activeProposedSide,
  closeTabs,
  ProposalViews,
  tabsWhere,
  watchTyping,
} from "./diffs/proposal-views.ts";
import { Proposals } from "./diffs/proposals.ts";
import { RecoveredEditsUi } from "./diffs/recovered-edits.ts";
import { UnsavedEdits } from "./diffs/unsaved-edits.ts";
import { WaitingComments } from "./diffs/waiting-comments.ts";
import { createGroups } from "./diffs/waiting-groups.ts";
import { createWaitingView, showAcceptingAhead } from "./diffs/waiting-view.ts";
import { WrittenChanges } from "./diffs/written-changes.ts";
import { warnOfFile, watchNeighbours } from "./notifications.ts";
import { createStatusBar, createWhenKeys, registerMenu, toDetails } from "./status-bar.ts";
import { AgentTerminals, setTerminalVariables, terminalVariables } from "./terminals/agent-terminals.ts";
import { registerSending } from "./terminals/sending.ts";
import { foldersAreKnown, openRoots, section, settings } from "./workspace.ts";

/** One window of VS Code with its companion. */
export type Window = Awaited<ReturnType<typeof openWindow>>;

/** The parts of a window that exist before its companion. */
type Parts = ReturnType<typeof createParts>;

/** Creates the parts and starts the companion. Never rejects: the status bar shows a failure. */
export async function openWindow(context: vscode.ExtensionContext) {
  const began = performance.now();
  // Nobody can decide these proposals: the extension host that opened them has ended.
  void closeTabs(tabsWhere(({ scheme }) => scheme === proposalScheme));
  const parts = createParts(context);
  const { log } = parts;
  /** Parts that want to know what happens. */
  let listeners: readonly { handle(event: CompanionEvent): unknown }[] = [];
  try {
    const { companion, close } = await start(parts, (event) => {
      for (const listener of listeners) listener.handle(event);
    });
    const own = serve(context, parts, companion);
    listeners = own.listeners;
    log.info(`ready after ${Math.round(performance.now() - began)} ms`);
    return {
      async close() {
        listeners = [];
        own.ending.dispose();
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
  const log = window.createOutputChannel("IDE Companion", { log: true });
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
  const sharing = createSharing({
    host: systemHost(),
    roots: openRoots,
    exclude: () => settings.exclude,
    excludeGitIgnored: () => settings.excludeGitIgnored,
  });
  const source = createContextSource();
  const unsaved = new UnsavedEdits();
  const written = new WrittenChanges(unsaved, sharing);
  context.subscriptions.push(
    ...[log, typing, documents, views, proposals, source, unsaved, written],
    registerMenu(sharing, new ReviewSwitch(systemHost(), openRoots), log, () => proposals.all.length > 0),
    { dispose: sharing.close },
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(section)) sharing.refresh();
    }),
  );
  return { log, typing, proposals, views, unsaved, written, sharing, source };
}

/**
 * Starts the companion of this window.
 * @throws Error when no port can be opened, or when no discovery file can be written
 */
async function start(parts: Parts, onEvent: (event: CompanionEvent) => void) {
  const { source, sharing, log } = parts;
  await foldersAreKnown();
  const roots = openRoots();
  const companion = await startCompanion({
    editor: toEditor(parts),
    roots,
    trusted: () => workspace.isTrusted,
    sharing,
    agentAccept: () => settings.agentAccept,
    onEvent(event) {
      onEvent(event);
      const line = toLogLine(event);
      if (line !== undefined) log.info(line);
      if (event.kind === "warning") log.warn(event.message);
    },
  });
  const followFolders = () => {
    companion.setRoots(openRoots()).catch((error: Error) => log.error(error.message));
  };
  const subscriptions = vscode.Disposable.from(
    workspace.onDidChangeWorkspaceFolders(followFolders),
    workspace.onDidGrantWorkspaceTrust(() => source.refresh()),
  );
  // They may have changed during the start.
  if (openRoots().join("\n") !== roots.join("\n")) followFolders();
  return {
    companion,
    async close() {
      subscriptions.dispose();
      await companion.close();
    },
  };
}

/** This window as an editor of the companion. */
function toEditor({ source, proposals, typing }: Parts): Editor {
  const displayName = vscode.env.appName;
  const isInUse = () => typing.isUnderWay || activeProposedSide() !== undefined;
  return {
    info: { name: displayName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-"), displayName },
    // The parent of the extension host. It is also an ancestor of every terminal of this window.
    pid: process.ppid,
    onContext: (listener) => source.onContext(listener),
    show: (change) => proposals.open(change),
    hide: (change, reason) => proposals.close(change, reason),
    flush: async (change) => proposals.flush(change),
    update: (change, rebase) => proposals.update(change, rebase),
    openFile: (location) => openFile(location, isInUse()),
    getDiagnostics: async (path) => readDiagnostics(path),
  };
}

/** Creates the parts of a window that need its companion; `ending` goes before that does. */
function serve(context: vscode.ExtensionContext, parts: Parts, companion: Companion) {
  const { proposals, views, unsaved, written } = parts;
  const groups = createGroups(proposals, companion.turns);
  const edits = new RecoveredEditsUi(companion.edits, context.globalState);
  const comments = new WaitingComments(companion, context.globalState);
  setTerminalVariables(context.environmentVariableCollection, companion);
  const terminals = new AgentTerminals(() => terminalVariables(companion));
  context.subscriptions.push(
    ...[groups, terminals],
    registerHistory(companion.history),
    provideLenses(proposals),
    new ProposalComments(proposals),
    createWaitingView(groups),
    showAcceptingAhead(groups),
    registerDiffCommands({
      ...{ proposals, views, groups, decisions: createDecisions(proposals, groups) },
      goToWritten: (step) => written.go(step),
    }),
    registerSending({
      terminals,
      send: (message) => companion.send(message),
      isConnected: () => companion.status.sessions.length > 0,
    }),
    watchNeighbours(context.globalState),
  );
  return {
    listeners: [edits, comments, unsaved, { handle: warnOfFile }],
    ending: vscode.Disposable.from(showStatus(parts, companion), edits, comments),
  };
}

function showStatus({ proposals, sharing }: Parts, companion: Companion): vscode.Disposable {
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
  const { tabGroups } = window;
  show();
  return vscode.Disposable.from(
    ...[statusBar, { dispose: companion.status.onChange(show) }, proposals.onChange(show)],
    ...[tabGroups.onDidChangeTabs(show), tabGroups.onDidChangeTabGroups(show)],
    { dispose: sharing.onChange(show) },
  );
}
