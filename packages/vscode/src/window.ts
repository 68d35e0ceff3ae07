import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { EditorAbilities } from "ide-companion";
import { pidIsAlive } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { createAbilities } from "./abilities/abilities.ts";
import { type ContextSource, createContextSource } from "./context/context-source.ts";
import { createExclusion } from "./context/exclusion.ts";
import { createGitIgnored } from "./context/git-ignored.ts";
import { createDecisions } from "./diffs/decisions.ts";
import { registerDiffCommands } from "./diffs/diff-commands.ts";
import { createDraftShelf, type DraftShelf } from "./diffs/draft-shelf.ts";
import { provideLenses } from "./diffs/hunk-lenses.ts";
import { type KeptEdits, keepEdits } from "./diffs/kept-edits.ts";
import { ProposalDocuments } from "./diffs/proposal-documents.ts";
import { activeProposedSide, closeTabs, ourTabs } from "./diffs/proposal-tabs.ts";
import { ProposalViews } from "./diffs/proposal-views.ts";
import { Proposals } from "./diffs/proposals.ts";
import { watchTyping } from "./diffs/typing.ts";
import { registerMenu } from "./menu.ts";
import { watchNeighbours } from "./neighbours.ts";
import { openRoots } from "./roots.ts";
import { section, settings } from "./settings.ts";
import { createSharing, type Sharing } from "./sharing.ts";
import { createStatusBar } from "./status-bar.ts";
import { toDetails } from "./status-details.ts";
import { registerTerminals } from "./terminals/agent-terminals.ts";
import { setTerminalVariables, terminalVariables } from "./terminals/terminal-variables.ts";
import { startWindowCompanion, type WindowCompanion } from "./window-companion.ts";

/** How long an agent gets to hear of its proposal's end before its connection ends too, in milliseconds. */
const farewell = 300;

/** When to look for what a window before this one has left, beside at once; in milliseconds. */
const looks = [2000, 5000, 10_000, 20_000];

/** One window of VS Code with its companion. */
export interface Window {
  close(): Promise<void>;
}

/** The parts of a window that are there before its companion is. */
interface Parts {
  readonly log: vscode.LogOutputChannel;
  readonly proposals: Proposals;
  readonly edits: KeptEdits;
  readonly sharing: Sharing;
  readonly source: ContextSource;
  readonly abilities: EditorAbilities;
}

/** Puts the parts together. Never rejects: the status bar says why there is no companion. */
export async function openWindow(context: vscode.ExtensionContext): Promise<Window> {
  const began = performance.now();
  // Nobody can decide them any more: the extension host that had opened them is gone.
  void closeTabs(ourTabs());
  const parts = createParts(context);
  const { log, edits, proposals } = parts;
  try {
    const running = await startWindowCompanion({ ...parts, onEvent: edits.take });
    setTerminalVariables(context.environmentVariableCollection, running.companion);
    context.subscriptions.push(
      registerTerminals(() => terminalVariables(running.companion)),
      watchNeighbours(context.globalState),
      showStatus(parts, running),
    );
    log.info(`ready after ${Math.round(performance.now() - began)} ms`);
    return {
      async close() {
        edits.leaveAll();
        running.silence();
        proposals.rejectAll();
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
    onClosedWithEdits: ({ proposal: { filePath, agent }, text: content }) =>
      edits.offer(
        { filePath, agent, content },
        vscode.l10n.t("You have closed a change that you had edited, so it is rejected."),
      ),
  });
  const shelf = createDraftShelf({
    folder: draftFolder(context),
    isAlive: pidIsAlive,
    onFault: (message) => log.error(message),
  });
  const edits: KeptEdits = keepEdits(proposals, shelf);
  const sharing = createSharing(context.workspaceState, () => source.refresh());
  const gitIgnored = createGitIgnored(openRoots, () => source.refresh());
  const privacy = {
    isExcluded: () => {
      const isExcluded = createExclusion({ patterns: settings.exclude, roots: openRoots() });
      return (path: string) => isExcluded(path) || (settings.excludeGitIgnored && gitIgnored(path));
    },
    isPaused: () => sharing.isPaused,
  };
  const source: ContextSource = createContextSource(privacy);
  const abilities = createAbilities({
    ...privacy,
    isInUse: () => typing.isUnderWay || activeProposedSide() !== undefined,
  });
  context.subscriptions.push(
    ...[log, typing, documents, views, proposals, edits, source],
    provideLenses(proposals),
    registerDiffCommands({ proposals, views, decisions: createDecisions(proposals) }),
    registerMenu(sharing, log),
    offerLeft(edits, shelf),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(section)) source.refresh();
    }),
  );
  return { log, proposals, edits, sharing, source, abilities };
}

/** Where VS Code lets us keep things for this workspace, or without one for all. */
function draftFolder({ storageUri, globalStorageUri }: vscode.ExtensionContext): string {
  return join((storageUri ?? globalStorageUri).fsPath, "drafts");
}

/** A window that was loaded anew, or has crashed, has left its edits; it may still be busy with its end. */
function offerLeft(edits: KeptEdits, shelf: DraftShelf): vscode.Disposable {
  const { l10n } = vscode;
  const look = () => {
    for (const [id, draft] of shelf.takeLeft()) {
      const why = l10n.t("A change by {0} that you had edited was open when the window ended.", draft.agent);
      edits.offer(draft, why, id);
    }
  };
  look();
  const timers = looks.map((wait) => setTimeout(look, wait));
  return { dispose: () => timers.forEach(clearTimeout) };
}

function showStatus({ proposals, sharing, source }: Parts, running: WindowCompanion): vscode.Disposable {
  const statusBar = createStatusBar();
  const show = () =>
    statusBar.show(
      {
        isPaused: sharing.isPaused,
        agents: running.presence.sessions.map(({ agent }) => agent),
        waiting: proposals.all.length,
      },
      toDetails(running.presence, source.current, running.companion.port),
    );
  const stop = source.onContext(show);
  show();
  return vscode.Disposable.from(statusBar, running.onPresence(show), proposals.onChange(show), {
    dispose: stop,
  });
}
