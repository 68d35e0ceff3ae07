import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** The top of the work tree that holds a folder. @param folder absolute, all links followed */
export function workTreeOf(folder: string): string | undefined {
  for (let top = folder; ; top = path.dirname(top)) {
    if (existsSync(path.join(top, ".git")) && existsSync(path.join(gitFoldersOf(top).own, "HEAD")))
      return top;
    if (path.dirname(top) === top) return undefined;
  }
}

/**
 * Where git keeps what it has of a work tree: in `.git`, or where a file of this name says, as for worktrees and submodules.
 * @param top of the work tree
 * @returns absolute paths: its own folder, and the one that all worktrees have in common
 */
export function gitFoldersOf(top: string): { readonly own: string; readonly common: string } {
  const dotGit = path.join(top, ".git");
  const own = path.resolve(top, readLink(dotGit)?.replace(/^gitdir: */, "") ?? dotGit);
  return { own, common: path.resolve(own, readLink(path.join(own, "commondir")) ?? "") };
}

function readLink(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trimEnd();
  } catch {
    return undefined; // a folder, or not there
  }
}
