import { existsSync } from "node:fs";
import nodePath from "node:path";
import { foldersUpwards } from "../system/disk.ts";
import { askGit } from "../system/git.ts";
import { gitFoldersOf } from "../system/git-folders.ts";
import { isInside, realPathOf } from "./workspace-path.ts";

/**
 * Whether git would take a file for its own, or run what it says: in a folder of git's in whatever layout, the hooks
 * of the repository, and what its settings name. `.gitattributes` and `.gitmodules` name no program that a setting of
 * the user's does not.
 * @param real absolute, all links followed; the file may not be there yet
 */
export async function belongsToGit(real: string): Promise<boolean> {
  if (real.split(nodePath.sep).some(isDotGit)) return true;
  for (const folder of foldersUpwards(nodePath.dirname(real))) {
    if (isGitFolder(folder, real)) return true;
    if (existsSync(nodePath.join(folder, ".git"))) return isNamedInSettings(real, folder);
  }
  return false;
}

/** By any spelling that some disk takes for it: with characters that macOS passes over, or as Windows shortens it. */
const isDotGit = (name: string): boolean =>
  /^(?:\.git|git~\d)[. ]*(?::.*)?$/i.test(name.normalize("NFC").replace(/\p{Cf}/gu, ""));

/** As git tells its folders: bare repositories, those of submodules and worktrees. The file counts as if it were there. */
function isGitFolder(folder: string, real: string): boolean {
  const has = (name: string) => {
    const path = nodePath.join(folder, name);
    return existsSync(path) || isInside(real, path);
  };
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")));
}

async function isNamedInSettings(real: string, top: string): Promise<boolean> {
  const settings = await askGit(top, ["config", "-z", "--list"]);
  const bases = [top, gitFoldersOf(top).own, gitFoldersOf(top).common];
  for (const setting of settings?.split("\0") ?? []) {
    const [key = "", ...lines] = setting.split("\n");
    const value = lines.join("\n");
    if (key === "core.hookspath") {
      const hooks = await realPathOf(nodePath.resolve(top, value));
      // Husky's scripts there run those next to it.
      if (isInside(real, nodePath.basename(hooks) === "_" ? nodePath.dirname(hooks) : hooks)) return true;
    }
    // A command, or a file with more settings.
    for (const word of value.split(/[\s'"!;&|]+/))
      if (word !== "" && bases.some((base) => nodePath.resolve(base, word) === real)) return true;
  }
  return false;
}
