import { holds, isInside, toPatterns } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import type { Reveal } from "./diffs/proposal-views.ts";

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
  /** The command line that starts an agent's CLI. */
  commandOf: (agent: string, usual: string): string => read(`${agent}.command`, usual) || usual,
};

function read<Value>(name: string, usual: Value): Value {
  return vscode.workspace.getConfiguration(section).get<Value>(name) ?? usual;
}

/** Absolute paths of the open folders that are on this machine's disk. */
export function openRoots(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}

/** Whether a file lies in an open folder, as its path is written or after following symlinks. @param filePath absolute */
export function isInWorkspace(filePath: string): boolean {
  const roots = openRoots();
  // Agents know the real path of a folder that was opened by a link. A file that is gone leads nowhere.
  return roots.some((root) => isInside(filePath, root)) || holds(roots, filePath);
}
