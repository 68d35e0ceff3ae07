import { basename, dirname } from "node:path";
import { holds, isInside, toPatterns } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { workspace } from "vscode";

/** When a proposal may come to the front; the values of the setting `ideCompanion.showProposals`. */
export type Reveal = "unlessTyping" | "always" | "never";

/** The section of our settings. */
export const section = "ideCompanion";

/** The user's settings. Each access reads the current value. */
export const settings = {
  get exclude(): readonly string[] {
    return toPatterns(read<unknown>("exclude", []));
  },
  get excludeGitIgnored(): boolean {
    return read("excludeGitIgnored", false);
  },
  get agentAccept(): boolean {
    return read("agentAccept", true);
  },
  get showProposals(): Reveal {
    return read("showProposals", "unlessTyping");
  },
  get terminalNextToEditor(): boolean {
    return read("terminalNextToEditor", false);
  },
  /** The command line that starts an agent's CLI. */
  commandOf: (agent: string, usual: string): string => read(`${agent}.command`, usual) || usual,
};

function read<Value>(name: string, usual: Value): Value {
  return workspace.getConfiguration(section).get<Value>(name) ?? usual;
}

/** Absolute paths of the open folders that are on this machine's disk. */
export function openRoots(): string[] {
  const folders = workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}

/** How long a window may take to learn the folders of its workspace file, in milliseconds. */
const foldersLimit = 5000;

/** Waits until the folders of a workspace file are known: a slow window starts its extensions before. */
export async function foldersAreKnown(): Promise<void> {
  const { workspaceFile, onDidChangeWorkspaceFolders } = workspace;
  if (workspaceFile === undefined || openRoots().length > 0) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      subscription.dispose();
      resolve();
    };
    const timer = setTimeout(done, foldersLimit);
    const subscription = onDidChangeWorkspaceFolders(done);
  });
}

/** @param filePath absolute */
export const openDocument = (filePath: string) => workspace.textDocuments.find(isOf(filePath));

/** Whether a text editor or a notebook has unsaved edits of a file. @param filePath absolute */
export const hasUnsavedEdits = (filePath: string): boolean =>
  [...workspace.textDocuments, ...workspace.notebookDocuments].some(
    (document) => document.isDirty && isOf(filePath)(document),
  );

function isOf(filePath: string): (document: { readonly uri: vscode.Uri }) => boolean {
  // On Windows, VS Code spells drive letters in its own way.
  const file = vscode.Uri.file(filePath).toString();
  return ({ uri }) => uri.toString() === file;
}

/** Whether a file lies in an open folder, as its path is written or after following symlinks. @param filePath absolute */
export function isInWorkspace(filePath: string): boolean {
  const roots = openRoots();
  // Agents know the real path of a folder that was opened by a link. A file that is gone leads nowhere.
  return roots.some((root) => isInside(filePath, root)) || holds(roots, filePath);
}

/** The path of a file, relative to the open folder. */
export const nameOf = (filePath: string): string => workspace.asRelativePath(filePath);

/** The folder of a file, relative to the open one; empty for a file right in that. */
export function folderOf(filePath: string): string {
  const folder = dirname(nameOf(filePath));
  return folder === "." ? "" : folder;
}

/** A file's name in a title, with what tells it from others of that name: `shop.ts · src`. */
export const tabNameOf = (filePath: string): string =>
  [basename(filePath), folderOf(filePath)].filter(Boolean).join(" · ");
