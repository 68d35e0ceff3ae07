import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import nodePath from "node:path";
import type { Ignore } from "ignore";
import { foldersUpwards } from "../system/disk.ts";
import { askGit } from "../system/git.ts";
import { gitFoldersOf } from "../system/git-folders.ts";
import { isInside } from "./workspace-path.ts";

/** The rules of one `.gitignore`, seen from a folder at or below it. */
interface Layer {
  readonly rules: Ignore;
  /** From the rules' folder to the scope's, with a slash at its end unless empty. */
  readonly prefix: string;
}

/** What git ignores in one folder. */
export interface IgnoreScope {
  /** Absolute, without symlinks. */
  readonly folder: string;
  /** The folder is ignored itself, and with it all that it holds. */
  readonly isIgnored: boolean;
  /** The nearest `.gitignore` first: it overrules those above, and these what git ignores in no file of the tree. */
  readonly layers: readonly Layer[];
}

/** The scope of a folder: rules count from the top of its repository, or from the root when there is none. */
export async function openIgnoreScope(folder: string, root: string): Promise<IgnoreScope> {
  const isTop = (each: string) => existsSync(nodePath.join(each, ".git"));
  const top = foldersUpwards(folder).find(isTop) ?? root;
  // The user who opens an ignored folder wants to see it: a project in a home that is a repository of dotfiles.
  const isRootIgnored = isInside(root, top) && (await descend(top, root)).isIgnored;
  return descend(isRootIgnored ? root : top, folder);
}

async function descend(top: string, folder: string): Promise<IgnoreScope> {
  const files = [
    nodePath.join(top, ".gitignore"),
    nodePath.join(gitFoldersOf(top).common, "info", "exclude"),
    await usersFile(top),
  ];
  const found = await Promise.all(files.map(readRules));
  const layers = found.flatMap((rules) => (rules ? [{ rules, prefix: "" }] : []));
  let scope: IgnoreScope = { folder: top, isIgnored: false, layers };
  const names = nodePath.relative(top, folder).split(nodePath.sep);
  for (const name of names) if (name !== "") scope = await enterFolder(scope, name);
  return scope;
}

export async function enterFolder(scope: IgnoreScope, name: string): Promise<IgnoreScope> {
  const folder = nodePath.join(scope.folder, name);
  if (isIgnored(scope, name, true)) return { folder, isIgnored: true, layers: [] };
  const above = scope.layers.map(({ rules, prefix }) => ({ rules, prefix: `${prefix}${name}/` }));
  const rules = await readRules(nodePath.join(folder, ".gitignore"));
  return { folder, isIgnored: false, layers: rules ? [{ rules, prefix: "" }, ...above] : above };
}

export function isIgnored(scope: IgnoreScope, name: string, isFolder: boolean): boolean {
  if (scope.isIgnored) return true;
  for (const { rules, prefix } of scope.layers) {
    const result = rules.test(`${prefix}${name}${isFolder ? "/" : ""}`);
    if (result.ignored) return true;
    if (result.unignored) return false;
  }
  return false;
}

/** What the user has git ignore everywhere. */
async function usersFile(top: string): Promise<string> {
  const named = await askGit(top, ["config", "-z", "--type=path", "--get", "core.excludesFile"]);
  if (named) return nodePath.resolve(top, named.replace(/\0$/, ""));
  const { XDG_CONFIG_HOME } = process.env;
  return nodePath.join(XDG_CONFIG_HOME || nodePath.join(homedir(), ".config"), "git", "ignore");
}

async function readRules(path: string): Promise<Ignore | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch {
    return undefined; // none there, the usual case; one that cannot be read ignores nothing
  }
  // Not needed before the first folder is opened, and the start is to be fast.
  const { default: ignore } = await import("ignore");
  // As git does by default on each system.
  return ignore({ ignoreCase: process.platform !== "linux" }).add(text);
}
