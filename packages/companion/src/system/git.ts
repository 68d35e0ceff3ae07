import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Variables by which git means another repository than that of the folder it is asked in. */
const foreign = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|PREFIX|NAMESPACE)$/;

/**
 * What git prints. Only for questions about settings: it starts nothing then that a repository names.
 * @returns undefined where there is no git, or it has no answer
 */
export function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  return new Promise((resolve) => {
    execFile("git", [...args], { cwd: folder, env, timeout: 5000, windowsHide: true }, (error, text) =>
      resolve(error ? undefined : text),
    );
  });
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
