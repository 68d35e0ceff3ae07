import { type Companion, type CompanionEvent, startCompanion } from "ide-companion";
import {
  type ConnectionStatus,
  createConnectionStatus,
  type Sharing,
  toLogLine,
} from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { openRoots } from "./roots.ts";
import { settings } from "./settings.ts";
import { createVscodeEditor, type VscodeEditorParts } from "./vscode-editor.ts";

export interface WindowCompanionOptions extends VscodeEditorParts {
  readonly sharing: Sharing;
  readonly log: vscode.LogOutputChannel;
  readonly onEvent: (event: CompanionEvent) => void;
}

/** The companion of this window, and who is connected to it. */
export interface WindowCompanion {
  readonly companion: Companion;
  readonly connectionStatus: ConnectionStatus;
  /** How many open files the agents were last sent. */
  readonly sentFiles: number;
  /** Fires when somebody connects or leaves, and when a context is sent. */
  readonly onChange: vscode.Event<void>;
  /** The window ends: VS Code takes nothing to show or to log any more, and throws. */
  silence(): void;
  close(): Promise<void>;
}

/** @throws Error when no port can be opened or no agent could find it */
export async function startWindowCompanion(options: WindowCompanionOptions): Promise<WindowCompanion> {
  const { source, sharing, log, onEvent } = options;
  const connectionStatus = createConnectionStatus();
  const changed = new vscode.EventEmitter<void>();
  let sentFiles = 0;
  let isSilent = false;
  const take = (event: CompanionEvent) => {
    if (isSilent) return;
    onEvent(event);
    const line = toLogLine(event);
    if (line !== undefined) log.info(line);
    if (event.kind === "warning") log.warn(event.message);
    const isSent = event.kind === "context-sent";
    if (isSent) sentFiles = event.context.workspaceState?.openFiles?.length ?? 0;
    if (connectionStatus.take(event) || isSent) changed.fire();
  };
  const companion = await startCompanion({
    editor: createVscodeEditor(options),
    roots: openRoots(),
    trusted: () => vscode.workspace.isTrusted,
    sharing,
    agentAccept: () => settings.agentAccept,
    onEvent: take,
  });
  const subscriptions = vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      companion.setRoots(openRoots()).catch((error: Error) => log.error(error.message));
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => source.refresh()),
  );
  return {
    companion,
    connectionStatus,
    get sentFiles() {
      return sentFiles;
    },
    onChange: changed.event,
    silence() {
      isSilent = true;
    },
    async close() {
      subscriptions.dispose();
      await companion.close();
    },
  };
}
