import { existsSync } from "node:fs";
import path from "node:path";
import { foldersUpwards, readIfThere } from "./disk.ts";

/** The top of the work tree that holds a folder. @param folder absolute, all links followed */
export function workTreeOf(folder: string): string | undefined {
  return foldersUpwards(folder).find(
    (top) => existsSync(path.join(top, ".git")) && existsSync(path.join(gitFoldersOf(top).own, "HEAD")),
  );
}

/**
 * Where git keeps what it has of a work tree: in `.git`, or where a file of this name says, as for worktrees and submodules.
 * @param top of the work tree
 * @returns absolute paths: its own folder, and the one that all worktrees have in common
 */
export function gitFoldersOf(top: string): { readonly own: string; readonly common: string } {
  const dotGit = path.join(top, ".git");
  const own = path.resolve(
    top,
    readIfThere(dotGit)
      ?.trimEnd()
      .replace(/^gitdir: */, "") ?? dotGit,
  );
  return { own, common: path.resolve(own, readIfThere(path.join(own, "commondir"))?.trimEnd() ?? "") };
}
