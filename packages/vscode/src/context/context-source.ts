import type { EditorContext, EditorFile } from "ide-companion";
import * as vscode from "vscode";
import { window, workspace } from "vscode";
import { proposedSideOf } from "../diffs/proposal-views.ts";

/** Events come in bursts: how long to wait for the rest of one, in milliseconds. */
const burst = 20;

/** In UTF-16 units: one more than any agent receives, so that the companion sees where to cut. */
const maxSelected = 16_384 + 1;

/** The open files of this window, and the position in the active one. The companion decides what agents receive. */
export function createContextSource() {
  const listeners = new Set<(context: EditorContext) => void>();
  const history = createFocusHistory();
  const positionIn = createPositions();
  let timer: NodeJS.Timeout | undefined;

  function publish(): void {
    timer = undefined;
    const context = history.update(readTabs(), positionIn);
    for (const listener of listeners) listener(context);
  }

  function refresh(): void {
    timer ??= setTimeout(publish, burst);
  }

  const { tabGroups } = window;
  // Another program may delete a file: its tab stays open, and VS Code fires no other event.
  const deleted = workspace.createFileSystemWatcher("**", true, true, false);
  const subscriptions = vscode.Disposable.from(
    tabGroups.onDidChangeTabs(refresh),
    tabGroups.onDidChangeTabGroups(refresh),
    window.onDidChangeActiveTextEditor(refresh),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === window.activeTextEditor) refresh();
    }),
    workspace.onDidRenameFiles(refresh),
    deleted,
    deleted.onDidDelete(refresh),
  );
  return {
    onContext(listener: (context: EditorContext) => void) {
      listeners.add(listener);
      refresh();
      return () => listeners.delete(listener);
    },
    refresh,
    dispose() {
      clearTimeout(timer);
      subscriptions.dispose();
    },
  };
}

function readTabs(): HistoryTab[] {
  return window.tabGroups.all.flatMap(({ tabs, isActive: isInActiveGroup }) =>
    tabs.map((tab) => {
      const path = fileOf(tab);
      return {
        ...(path === undefined ? {} : { path }),
        isAside: tab.input instanceof vscode.TabInputTerminal || proposedSideOf(tab) !== undefined,
        isShown: tab.isActive,
        isInActiveGroup,
      };
    }),
  );
}

/** The file on disk that a tab shows, in whatever editor; undefined when there is none. */
export function fileOf({ input }: vscode.Tab): string | undefined {
  const uri = uriOf(input);
  return uri?.scheme === "file" ? uri.fsPath : undefined;
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  if (input instanceof vscode.TabInputNotebook) return input.uri;
  if (input instanceof vscode.TabInputCustom) return input.uri;
  // In the source control view, the right side is the current file.
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  if (input instanceof vscode.TabInputNotebookDiff) return input.modified;
  return undefined;
}

/**
 * Finds the primary cursor and selection in a file. One that has lost the focus, but not to another file, keeps them for
 * as long as its text is the same.
 */
export function createPositions(): (path: string) => Position {
  let last: (Place & { readonly version: number; readonly position: Position }) | undefined;
  return (path) => {
    const editor = window.activeTextEditor;
    // Lines of a notebook cell do not exist in the file, so agents get no positions there.
    if (editor && isIn(path, "vscode-notebook-cell", editor)) return selectedText(editor);
    if (editor && isIn(path, "file", editor)) {
      const { document, selection } = editor;
      const position = { ...toPositions(selection), ...selectedText(editor) };
      last = { document, version: document.version, position };
      return position;
    }
    // What is selected there is in no file that the agents know of.
    if (editor && isLeftSide(editor)) last = undefined;
    // The user is in a panel, or in a terminal or a proposal that lies in front.
    if (!last || !isIn(path, "file", last)) return {};
    const { document, version, position } = last;
    return document.isClosed || document.version !== version ? {} : position;
  };
}

type Place = Pick<vscode.TextEditor, "document">;

const isIn = (path: string, scheme: string, { document: { uri } }: Place) =>
  uri.scheme === scheme && uri.fsPath === path;

/** Of the diff in the active tab. */
function isLeftSide({ document }: Place): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && input.original.toString() === document.uri.toString();
}

/** Cursor and range of a selection, which VS Code counts from 0. A cursor alone has no range. */
export function toPositions({
  active,
  start,
  end,
  isEmpty,
}: vscode.Selection): Pick<Position, "cursor" | "selection"> {
  const fromOne = ({ line, character }: vscode.Position) => ({ line: line + 1, character: character + 1 });
  return {
    cursor: fromOne(active),
    ...(!isEmpty && { selection: { start: fromOne(start), end: fromOne(end) } }),
  };
}

/** The part of a VS Code tab that the history needs. */
export interface HistoryTab {
  /** The file on disk that it shows; none for a terminal, a web page, settings. */
  readonly path?: string;
  /** A terminal or a proposal: while it is in front, the user still works on the file behind it. */
  readonly isAside: boolean;
  /** It is the active tab of its group. */
  readonly isShown: boolean;
  /** Its group has the focus. */
  readonly isInActiveGroup: boolean;
}

export function createFocusHistory(now: () => number = Date.now) {
  const focusedAt = new Map<string, number>();
  let active: string | undefined;

  /** A terminal or a proposal in front of a file leaves that file active. */
  function findActive(tabs: readonly HistoryTab[]): string | undefined {
    const front = tabs.find(({ isShown, isInActiveGroup }) => isShown && isInActiveGroup);
    if (front?.path !== undefined) return front.path;
    const last = tabs.filter(({ path }) => path !== undefined && path === active);
    const isVisible = last.some(({ isShown }) => isShown) || (last.length > 0 && front?.isAside === true);
    return isVisible ? active : undefined;
  }

  return {
    /** @param positionIn called for the active file only */
    update(tabs: readonly HistoryTab[], positionIn: (path: string) => Position): EditorContext {
      const paths = [...new Set(tabs.flatMap(({ path }) => path ?? []))];
      for (const path of focusedAt.keys()) if (!paths.includes(path)) focusedAt.delete(path);
      // Files that never had the focus count as older, in the order of their tabs.
      const time = now();
      for (const [index, path] of paths.entries()) {
        if (!focusedAt.has(path)) focusedAt.set(path, time - 1 - index);
      }
      const next = findActive(tabs);
      if (next !== undefined && next !== active) focusedAt.set(next, time);
      if (next !== undefined || (active !== undefined && !paths.includes(active))) active = next;
      const files = paths.map((path) => ({
        path,
        focusedAt: focusedAt.get(path) ?? time,
        ...(path === next ? positionIn(path) : {}),
      }));
      return { files, ...(next === undefined ? {} : { activePath: next }) };
    },
  };
}

function selectedText({ document, selection }: vscode.TextEditor): Pick<Position, "selectedText"> {
  if (selection.isEmpty) return {};
  const end = document.positionAt(document.offsetAt(selection.start) + maxSelected);
  const range = end.isBefore(selection.end) ? new vscode.Range(selection.start, end) : selection;
  return { selectedText: document.getText(range) };
}

/** Where the user is in the file that has the focus. */
type Position = Pick<EditorFile, "cursor" | "selectedText" | "selection">;
